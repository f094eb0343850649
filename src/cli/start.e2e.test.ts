import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { rondo } from "./command.fixture.ts";
import { eventsIn } from "./e2e.fixture.ts";

const bin = fileURLToPath(new URL("./start.ts", import.meta.url));

test("npm start searches, runs code and edits a scratch file, without a key, and leaves nothing behind", async () => {
  const temporary = mkdtempSync(join(tmpdir(), "rondo-start-test-"));
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
  const env = { TMPDIR: temporary, OPENAI_API_KEY: "sk-not-to-be-used" };
  const { code, stdout } = await rondo(["--json"], { bin, env });
  const ended = eventsIn(stdout).filter((event) => event.type === "tool_end");
  expect(ended.map(({ call }) => call.name)).toEqual(["grep", "read_file", "grep", "run_code", "edit_file"]);
  expect(ended.map(({ result }) => result.isError)).toEqual([false, false, false, false, false]);
  expect(ended[3]?.result.content).toEqual([{ type: "text", text: "108" }]);
  expect(JSON.stringify(ended[4]?.result.content)).toContain("+A fair copy of notes.");
  expect(eventsIn(stdout).at(-1)).toMatchObject({ type: "agent_end", outcome: "stop" });
  expect(code).toBe(0);
  expect(readdirSync(temporary)).toEqual([]);
}, 60_000);
