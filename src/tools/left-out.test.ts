import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRuntime } from "../index.ts";
import { scripted } from "../testing/index.ts";
import { makeWorkspace } from "./workspace.fixture.ts";

const value = "zq81-secret-PQRS-7777";

beforeEach(() => void vi.stubEnv("SOME_API_KEY", value));
afterEach(() => void vi.unstubAllEnvs());

/** What the last of these calls answers, in a workspace with a file that holds a secret of this process. */
async function last(redact: boolean, ...calls: readonly { readonly name: string; readonly arguments: object }[]) {
  const { root, at } = makeWorkspace({ "c.yaml": `key: ${value}\nport: 1\n` });
  const model = scripted([...calls.map((call) => ({ calls: [call as never] })), "done"]);
  const { messages } = await createRuntime({ model, workspace: root, redact }).run("Go.").result;
  const result = messages.findLast((message) => message.role === "tool");
  const [part] = result?.role === "tool" ? result.content : [];
  return { said: part?.type === "text" ? part.text : "", file: readFileSync(at("c.yaml"), "utf8") };
}

const reading = { name: "read_file", arguments: { path: "c.yaml" } };
const writing = (content: string) => ({ name: "write_file", arguments: { path: "c.yaml", content } });

test("a file is not replaced whose value of a secret variable the model could not read", async () => {
  const { said, file } = await last(true, reading, writing("key: yours\nport: 2\n"));
  expect(said).toContain("SOME_API_KEY");
  expect(said).toContain("edit_file");
  expect(file).toBe(`key: ${value}\nport: 1\n`);
});

test("it is where results are handed on unchanged", async () => {
  const { file } = await last(false, reading, writing("key: yours\nport: 2\n"));
  expect(file).toBe("key: yours\nport: 2\n");
});

test("an edit that quotes what stands for the value is told what that is", async () => {
  const old_string = "key: [redacted: SOME_API_KEY]\nport: 1";
  const { said } = await last(true, { name: "edit_file", arguments: { path: "c.yaml", old_string, new_string: "x" } });
  expect(said).toContain("environment variable SOME_API_KEY");
});
