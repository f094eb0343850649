import { expect, test } from "vitest";
import { type Approvals, createRuntime, type JsonObject, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";

type Said = Omit<Parameters<typeof tool>[0], "name" | "input" | "execute">;

/** Whether a call of a tool is asked about under these rules. */
async function isAsked(name: string, args: JsonObject, approvals: Approvals, said: Said = {}): Promise<boolean> {
  const tools = [
    tool({
      ...said,
      name,
      input: { type: "object", properties: { patience: { type: "number" } } },
      execute: () => "ran",
    } as never),
  ];
  let asked = false;
  const approve = () => {
    asked = true;
    return true;
  };
  const model = scripted([{ calls: [{ name, arguments: args }] }, "Done."]);
  await createRuntime({ model, tools, approvals: { mode: "ask", ...approvals }, approve }).exec("Go.", { tools });
  return asked;
}

const allow = ["bash(npm test)", "fetch(https://h.com/**)", 'ticket({"number":7})'];

test.each<[string, JsonObject, boolean]>([
  ["bash", { command: "npm test" }, false],
  ["bash", { command: "npm test", cwd: "/elsewhere" }, true],
  ["bash", { command: "npm test", env: { NODE_OPTIONS: "--import=./x.mjs" } }, true],
  ["bash", { command: "npm test", stdin: "x" }, true],
  ["bash", { command: "npm test", cwd: null }, false],
  ["bash", { command: "npm test", description: "Runs the tests", timeout: 1000 }, false],
  ["fetch", { url: "https://h.com/a" }, false],
  ["fetch", { url: "https://h.com/a", method: "DELETE" }, true],
  ["fetch", { url: "https://h.com/a", description: "what is sent" }, true],
  ["fetch", { url: "https://h.com/a", timeout_ms: 1000 }, false],
  ["ticket", { number: 7 }, false],
])("a rule that lets %s run is not one for what is said beside it: %j", async (name, args, asked) => {
  expect(await isAsked(name, args, { allow })).toBe(asked);
});

test("but for how long it may take, by the name that the tool has for it", async () => {
  const args = { command: "npm test", patience: 5000 };
  expect(await isAsked("bash", args, { allow })).toBe(true);
  const timeoutMs = { argument: "patience", min: 1, max: 10_000 };
  expect(await isAsked("bash", args, { allow }, { timeoutMs })).toBe(false);
});

test("and for what tells a tool that changes nothing how to look", async () => {
  const args = { url: "https://h.com/a", format: "text" };
  expect(await isAsked("fetch", args, { allow, ask: [] })).toBe(true);
  const said = { readOnly: true, requiresApproval: true };
  expect(await isAsked("fetch", args, { allow }, said)).toBe(false);
});

test("a whole call that is written out may say anything", async () => {
  const args = { command: "npm test", cwd: "/elsewhere" };
  expect(await isAsked("bash", args, { allow: ['bash({"command":"npm test","cwd":*})'] })).toBe(false);
});
