import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createRuntime } from "../index.ts";
import { scripted } from "../testing/index.ts";
import { runCode as run } from "./run-code.body.ts";
import { runCode } from "./run-code.ts";
import { contextOf, messageOf } from "./workspace.fixture.ts";

const ctx = contextOf(".");
const runs = (code: string, timeMs = 5_000) => run({ code }, ctx, { timeMs });
const fails = (code: string, timeMs = 5_000) => messageOf(() => runs(code, timeMs));

test("it says that it changes nothing, and may not be repeated for nothing", () => {
  expect(runCode).toMatchObject({ readOnly: true, timeoutMs: Number.POSITIVE_INFINITY });
  expect(runCode.repeatable ?? false).toBe(false);
});

test.each([
  ["an expression", "6 * 7", "42"],
  ["the last statement of a script", "const a = [1, 2];\nfunction twice(x) { return 2 * x }\na.map(twice)", "[2,4]"],
  ["an object", "{ a: 1, b: { c: [true, null] } }", '{"a":1,"b":{"c":[true,null]}}'],
  ["a block", "{ let x = 3; x + 1 }", "4"],
  ["a return", "const x = 5;\nif (x > 3) return { x };\nreturn 0", '{"x":5}'],
  ["await", "const x = await Promise.resolve(4); x + 1", "5"],
  ["await and return", "return await (async () => 'late')()", '"late"'],
  ["a promise", "(async () => { await null; return 7 })()", "7"],
  ["what was printed", "console.log('a'); console.error('b')", "a\nb"],
  ["what was printed, then the value", "console.log('a'); 1", "a\n=> 1"],
  ["an async main", "async function main() { console.log(await 1) }\nmain()", "1"],
  ["a comment at the end", "return 1 // one", "1"],
  ["nothing", "", "[Nothing was printed, and the value is undefined.]"],
  ["undefined", "undefined", "[Nothing was printed, and the value is undefined.]"],
  ["sloppy code", "x = 5; x", "5"],
])("%s", async (_, code, expected) => {
  expect(await runs(code)).toBe(expected);
});

test.each([
  ["123n", "123n"],
  ["NaN", "NaN"],
  ["-0", "0"],
  ["[-0, 1]", "[0,1]"],
  ["console.log(-0)", "-0"],
  ["() => 1", "[Function]"],
  ["(function named() {})", "[Function: named]"],
  ["(class A {})", "[class: A]"],
  ["Symbol('s')", "Symbol(s)"],
  ["const c = [1]; c.push(c); c", "[ 1, [Circular] ]"],
  ["new Map([['a', { b: 1 }]])", "Map(1) { 'a' => { b: 1 } }"],
  ["new Set([1, 'x'])", "Set(2) { 1, 'x' }"],
  ["new Date(0)", '"1970-01-01T00:00:00.000Z"'],
  ["[new Date(NaN)]", "[null]"],
  ["/a+/gi", "/a+/gi"],
  ["new Uint8Array(2)", "Uint8Array(2) [ 0, 0 ]"],
  ["new (class Point { x = 1 })()", '{"x":1}'],
  ["({ a: undefined })", "{}"],
  ["({ a: 1, b: undefined })", '{"a":1}'],
  ["({ get a() { throw 1 } })", "{ a: [Getter] }"],
  ["[1, , , 2]", "[ 1, <2 empty items>, 2 ]"],
  ["Object.create(null)", "{}"],
  ["({ toJSON() { return 'mine' } })", '"mine"'],
  ["({ toJSON() { throw 1 } })", "{ toJSON: [Function: toJSON] }"],
  ["new Proxy({}, { ownKeys() { throw 1 } })", "[cannot be read]"],
  ["'a\\0b\\ud800'", '"a\\u0000b\\ud800"'],
])("the value %s", async (code, expected) => {
  expect(await runs(code)).toBe(expected);
});

test.each([
  ["'a', 1, [1, { b: 'c' }], null, undefined", "a 1 [ 1, { b: 'c' } ] null undefined"],
  ["'%s is %d%% of %j', 'x', '5', { a: 1 }, 'more'", 'x is 5% of {"a":1} more'],
  ["'100%', 1", "100% 1"],
  ['"it\'s", ["it\'s", \'say "x"\']', "it's [ \"it's\", 'say \"x\"' ]"],
  ["'a\\ud800b'", "a\ufffdb"],
  ["-0, 1n, Symbol('x')", "-0 1n Symbol(x)"],
  [
    "{ first: 'x'.repeat(40), second: 'y'.repeat(40) }",
    `{\n  first: '${"x".repeat(40)}',\n  second: '${"y".repeat(40)}'\n}`,
  ],
])("console.log(%s)", async (values, expected) => {
  expect(await runs(`console.log(${values})`)).toBe(expected);
});

describe("what goes wrong in the code is an error in words", () => {
  test.each([
    ["let a = ;", "SyntaxError: unexpected token in expression: ';'\n    at line 1, column 9"],
    ["\n\n  foo(1,,2)", "    at line 3, column 9"],
    ["if (true) { return 1 }\nfoo(", "at the end of the code"],
    ["function f() {\n  null.x\n}\nf()", "    at f (line 2, column 7)\n    at line 4, column 2"],
    ["return f();\nfunction f() {\n  null.x\n}", "    at f (line 3, column 7)\n    at line 1, column 9"],
    ["throw new RangeError('r', { cause: new Error('c') })", "\nCause: Error: c"],
    ["throw 'text'", "Uncaught 'text'"],
    ["throw undefined", "Uncaught undefined"],
    ["throw null", "Uncaught null"],
    ["const o = {}; o.o = o; throw o", "Uncaught { o: [Circular] }"],
    ["throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })", "Uncaught "],
    ["Promise.reject(new Error('no'))", "Error: no"],
    ["await Promise.reject(5)", "Uncaught 5"],
    ["console.log('before'); throw new Error('after')", "before\n\nError: after"],
    ["new Promise(() => {})", "a promise that never settles"],
    ["await new Promise(() => {})", "a promise that never settles"],
    ["setTimeout(() => 1, 5)", "no timers, network, files, modules"],
    ["require('fs')", "no timers, network, files, modules"],
    ["await import('node:fs')", "no timers, network, files, modules"],
    ["import fs from 'fs'", "Modules cannot be used here"],
    ["process.exit(1)", "no timers, network, files, modules"],
  ])("%j", async (code, expected) => {
    expect(await fails(code)).toContain(expected);
  });

  test.each([
    ["deep recursion", "function r() { return r() + 1 }\nr()", "stack overflow"],
    ["deep source", "[".repeat(200_000), "stack overflow"],
    ["deep source in parentheses", "(".repeat(500_000), "stack overflow"],
    ["deep JSON", "JSON.parse('['.repeat(200000))", "stack overflow"],
    ["a huge text", "'x'.repeat(1e9)", "out of memory: it may hold 64 MB"],
    ["a huge buffer", "new ArrayBuffer(1e9)", "out of memory"],
    ["many buffers", "const all = []; while (true) all.push(new Uint8Array(1e6))", "out of memory"],
    ["a huge number", "2n ** (2n ** 40n)", "BigInt"],
  ])("%s", async (_, code, expected) => {
    expect(await fails(code)).toContain(expected);
    // And the next call knows nothing of it.
    expect(await runs("1 + 1")).toBe("2");
  });

  test.each([
    ["a loop", "while (true);"],
    ["a promise job", "(async () => { while (true) await null })()"],
    ["a regular expression", "/(a+)+$/.test('a'.repeat(60) + 'b')"],
    ["a getter", "const o = { get a() { while (true); } }; o.a"],
    ["toJSON", "({ toJSON() { while (true); } })"],
    ["a Proxy trap", "new Proxy({}, { ownKeys() { while (true); } })"],
    ["the message of an error", "throw new (class extends Error { get message() { while (true); } })()"],
    ["what a loop catches", "while (true) { try { while (true); } catch {} }"],
    ["a generator", "function* g() { while (true) yield 1 }\nfor (const x of g());"],
    ["a comparison", "[1, 2, 3].sort(() => { while (true); })"],
    ["one long step of the engine", "Array.prototype.sort.call({ length: 2 ** 53 - 1 })"],
  ])("no end: %s", async (_, code) => {
    expect(await fails(`console.log('before'); ${code}`, 200)).toBe(
      "before\n\nStopped after 0.2 s, which is the limit.",
    );
  });
});

test("too much output is cut in the middle; an endless one is stopped", async () => {
  const long = await runs("for (let i = 0; i < 10000; i++) console.log('line ' + i)");
  expect(long.length).toBeLessThan(28_000);
  expect(long).toMatch(/^line 0\nline 1\n/);
  expect(long).toContain("\n[... 71090 of 98890 characters left out ...]\n");
  expect(long).toMatch(/line 9999$/);
  const huge = await runs("console.log('x'.repeat(5e6)); 'y'.repeat(5e6)", 20_000);
  expect(huge.replace(/x{9}x+/, "x").replace(/y{9}y+/, "y")).toBe(
    'x ... 4986200 more characters\n=> "y" ... 4986200 more characters',
  );
  expect(huge.length).toBeLessThan(28_000);
  const endless = await messageOf(() =>
    run({ code: "while (true) console.log('0123456789')" }, ctx, { timeMs: 30_000, maxPrinted: 100_000 }),
  );
  expect(endless).toMatch(/\n\nStopped: it printed more than 0\.1 million characters\.$/);
  expect(endless.length).toBeLessThan(28_000);
});

test("code that is too long is not run; halves of characters in it break nothing", async () => {
  expect(await fails("1;".repeat(5_000_000))).toBe(
    "The code is 10,000,000 characters long; 1,000,000 are the most. Nothing was run.",
  );
  expect(await runs("'\ud800'.length > 0")).toBe("true");
  expect(await fails("1 \0 2")).toContain("SyntaxError");
});

test("a world has no way out, and the next one is new", async () => {
  const names =
    "typeof process + typeof require + typeof fetch + typeof setTimeout + typeof WebAssembly + typeof print";
  expect(await runs(names)).toBe(JSON.stringify("undefined".repeat(6)));
  expect(await runs("[].constructor.constructor('return typeof process')()")).toBe('"undefined"');
  await runs("globalThis.left = 1; Array.prototype.left = 1; JSON.stringify = () => 'mine'");
  expect(await runs("[typeof left, [].left === undefined, JSON.stringify(1)]")).toBe('["undefined",true,"1"]');
});

test.each([
  ["JSON = null; console.log({ a: 1 }); [1]", "{ a: 1 }\n=> [1]"],
  [
    "for (const key of Reflect.ownKeys(Array.prototype)) try { Array.prototype[key] = null } catch {}\nconsole.log([1]); 2",
    "[ 1 ]\n=> 2",
  ],
  [
    "for (const key of Reflect.ownKeys(String.prototype)) try { String.prototype[key] = null } catch {}\nconsole.log('a'); 'b'",
    'a\n=> "b"',
  ],
  ["Function.prototype.call = Function.prototype.apply = Function.prototype.bind = null; console.log(1)", "1"],
  ["Object.prototype.toJSON = () => 'evil'; 1", "1"],
  ["console = null; 3", "3"],
  ["console.log = 5; 3", "3"],
])("what was changed inside does not reach outside: %s", async (code, expected) => {
  expect(await runs(code)).toBe(expected);
});

test.each([
  "Object.prototype.then = (done) => done(7); 5",
  "Promise.prototype.then = null; await 1",
  "Object.defineProperty(Object.prototype, 'value', { get() { throw 1 } }); 5",
  "Object.defineProperty(Object.prototype, 'message', { get() { throw 1 } }); throw {}",
  "Error.prototype.toString = Symbol.prototype.toString = null; throw new Error('x')",
  "Array.prototype[Symbol.iterator] = function* () { yield globalThis }; console.log(1)",
  "Object.setPrototypeOf(Object.prototype, new Proxy(Object.create(null), {})); 1",
  "delete globalThis.Promise; delete globalThis.Error; throw 1",
])("and nothing breaks: %s", async (code) => {
  await Promise.allSettled([runs(code)]);
  expect(await runs("1 + 1")).toBe("2");
});

test("the process goes on meanwhile, and a signal ends it at once", async () => {
  const control = new AbortController();
  let turns = 0;
  const timer = setInterval(() => {
    if (++turns === 20) control.abort(new Error("enough"));
  }, 5);
  const context = contextOf(".", control.signal);
  expect(await messageOf(() => run({ code: "while (true);" }, context, { timeMs: 25_000 }))).toBe("enough");
  clearInterval(timer);
  expect(turns).toBeGreaterThanOrEqual(20);
  expect(await messageOf(() => run({ code: "1" }, context))).toBe("enough");
});

test("many at once are all answered, each with its own; those that wait can be given up", async () => {
  const control = new AbortController();
  const loops = Array.from({ length: 12 }, () =>
    messageOf(() => run({ code: "while (true);" }, contextOf(".", control.signal), { timeMs: 25_000 })),
  );
  const answers = Array.from({ length: 12 }, (_, n) => runs(`console.log(${n}); ${n} * 2`));
  setTimeout(() => control.abort(new Error("enough")), 50);
  expect(await Promise.all(loops)).toEqual(Array(12).fill("enough"));
  expect(await Promise.all(answers)).toEqual(Array.from({ length: 12 }, (_, n) => `${n}\n=> ${2 * n}`));
});

test.runIf(process.platform === "linux")("threads are used again, and one that is given up is ended", async () => {
  const threads = () => readdirSync("/proc/self/task").length;
  await runs("1");
  const before = threads();
  for (let n = 0; n < 10; n++) {
    await runs("1");
    const context = contextOf(".", AbortSignal.timeout(50));
    await messageOf(() => run({ code: "while (true);" }, context, { timeMs: 25_000 }));
  }
  expect(threads() - before).toBeLessThan(5);
});

test("an idle thread does not keep the process alive", () => {
  const program = `
    const { runCode } = await import(process.argv[1]);
    console.log(await runCode.execute({ code: "1 + 1" }, { signal: new AbortController().signal }));`;
  const index = new URL("./index.ts", import.meta.url).href;
  const options = { encoding: "utf8", timeout: 8_000 } as const;
  expect(execFileSync(process.execPath, ["--input-type=module", "-e", program, index], options)).toBe("2\n");
});

test("a run hands the model the answer, or what went wrong, and goes on", async () => {
  const model = scripted([
    { calls: [{ name: "run_code", arguments: { code: "console.log('sum'); 1 + 2" } }] },
    { calls: [{ name: "run_code", arguments: { code: "throw new Error('oops')" } }] },
    { calls: [{ name: "run_code", arguments: { script: "1" } }] },
    "done",
  ]);
  const { messages, outcome } = await createRuntime({ model }).run("Compute.").result;
  const results = messages.flatMap((message) => (message.role === "tool" ? [message] : []));
  expect(outcome).toBe("stop");
  expect(results.map(({ isError }) => isError)).toEqual([false, true, true]);
  expect(results[0]?.content).toEqual([{ type: "text", text: "sum\n=> 3" }]);
  expect(results[1]?.content).toEqual([{ type: "text", text: "Error: oops\n    at line 1, column 16" }]);
  expect(results[2]?.content[0]).toMatchObject({ text: expect.stringContaining("code") });
});

test("the timeout of a tool ends the code too", async () => {
  const model = scripted([{ calls: [{ name: "run_code", arguments: { code: "while (true);" } }] }, "done"]);
  const slow = { ...runCode, timeoutMs: 100 };
  const { messages } = await createRuntime({ model }).run("Compute.", { tools: [slow] }).result;
  expect(messages[2]).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("timed out after 0.1 s") }],
  });
});
