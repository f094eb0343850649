import { expect, test } from "vitest";
import { runCode } from "./run-code.body.ts";
import { contextOf, messageOf } from "./workspace.fixture.ts";

const ctx = contextOf(".");
const runs = (code: string) => runCode({ code }, ctx);
const fails = (code: string) => messageOf(() => runs(code));

test.each([
  ["new Error('x')", "[Error: x\n    at line 1, column 10]"],
  ["return new Error('x')", "[Error: x\n    at line 1, column 17]"],
  ["{ e: new Error('x') }", "{\n  e: [Error: x\n      at line 1, column 15]\n}"],
  [
    "function f() {\n  return new Error('x')\n}\n[f()]",
    "[\n  [Error: x\n      at f (line 2, column 19)\n      at line 4, column 3]\n]",
  ],
  ["console.log(new TypeError('y'))", "TypeError: y\n    at line 1, column 26"],
  ["console.log('%s', new Error('y')); return 1", "Error: y\n    at line 1, column 28\n=> 1"],
  [
    "const e = new Error('a', { cause: new Error('b') }); e",
    "[Error: a\n    at line 1, column 20\nCause: Error: b\n    at line 1, column 44]",
  ],
  [
    "const e = new Error('x'); e.stack = '    at f (code:\\n    at code:x:y\\n    at g (code:7)\\n    at code:1:2'; e",
    "[Error: x\n    at line 1, column 2]",
  ],
  [
    "const o = { 'code:5:6'() { return new Error('x') } }; o['code:5:6']()",
    "[Error: x\n    at code:5:6 (line 1, column 44)\n    at line 1, column 68]",
  ],
  ["'at f (code:1:2)'", '"at f (code:1:2)"'],
])("places in an error that is a value, or printed, are those of the code: %j", async (code, said) => {
  expect(await runs(code)).toBe(said);
});

test.each([
  ["throw { e: new Error('x') }", "Uncaught {\n  e: [Error: x\n      at line 1, column 21]\n}"],
  ["return JSON.parse('{')", "SyntaxError: expecting property name\n    at line 1, column 18"],
  ["if (true) { return 1 }\nfoo(", "\n    at the end of the code"],
])("and in what was thrown: %j", async (code, said) => {
  const message = await fails(code);
  expect(message).toContain(said);
  expect(message).not.toContain("code:");
  if (!said.startsWith("\n")) expect(message).toBe(said);
});

test("whatever the code has made of the words of the engine", async () => {
  const spoilt =
    "for (const key of Reflect.ownKeys(String.prototype)) try { String.prototype[key] = () => 'evil' } catch {}\n";
  expect(await fails(`${spoilt}throw new Error('x')`)).toBe("Error: x\n    at line 2, column 16");
});
