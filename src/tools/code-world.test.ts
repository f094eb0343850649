import { afterEach, expect, test, vi } from "vitest";
import { loadEngine, runInWorld } from "./code-world.ts";

type Memory = { readonly buffer: ArrayBuffer; grow(pages: number): number };
const memories = (globalThis as unknown as { WebAssembly: { Memory: { prototype: Memory } } }).WebAssembly.Memory;

afterEach(() => void vi.restoreAllMocks());

const megabyte = 1024 * 1024;
const engine = await loadEngine();

/** Runs code; also gives the largest memory that any engine came to meanwhile, in megabytes. */
async function measured(code: string, memoryBytes = 64 * megabyte) {
  let most = 0;
  const { grow } = memories.prototype;
  vi.spyOn(memories.prototype, "grow").mockImplementation(function (this: Memory, pages: number) {
    const before = grow.call(this, pages);
    most = Math.max(most, this.buffer.byteLength / megabyte);
    return before;
  });
  const job = { code, timeMs: 20_000, memoryBytes, maxText: 1_000, maxPrinted: 1_000 };
  return { ran: await runInWorld(engine, job, () => {}), most };
}

const outOfMemory = "InternalError: out of memory: it may hold 64 MB.";

test.each([
  ["texts", "const all = []; for (let n = 0; n < 200; n++) all.push('x'.repeat(1e6) + n); all.length"],
  ["texts, held by the world", "all = []; for (let n = 0; n < 200; n++) all.push('x'.repeat(1e6) + n); all.length"],
  ["buffers", "const all = []; while (true) all.push(new Uint8Array(1e6))"],
  ["objects", "const all = []; while (true) all.push({ all })"],
  ["small texts", "all = []; while (true) all.push('x' + all.length)"],
  ["one list", "const all = []; while (true) all.push(1)"],
  ["promise jobs", "(async function f() { const all = []; while (true) { all.push('x'.repeat(1e6)); await null } })()"],
])("all that the code holds counts against its memory: %s", async (_, code) => {
  const { ran, most } = await measured(code);
  expect(ran).toEqual({ printed: "", ok: false, text: outOfMemory });
  expect(most).toBeGreaterThan(32);
  expect(most).toBeLessThanOrEqual(64);
});

test("what is let go can be held again, and what catches the error goes on", async () => {
  const churn = await measured("let n = 0; for (; n < 80; n++) ('x'.repeat(1e6) + n).length; n");
  expect(churn.ran).toEqual({ printed: "", ok: true, text: "80" });
  const code = "let all = []; try { while (true) all.push('x'.repeat(1e6)) } catch (e) { all = null; String(e) }";
  const caught = await measured(code);
  expect(caught.ran).toEqual({ printed: "", ok: true, text: '"InternalError: out of memory"' });
});

test.each([
  ["a function", "function deep() { deep() }", "deep()"],
  ["a getter", "const o = { get a() { return o.a } }", "o.a"],
  ["a constructor", "class A { constructor() { new A() } }", "new A()"],
  ["what the engine calls", "const o = { toJSON: () => [1].map(() => JSON.stringify(o)) }", "JSON.stringify(o)"],
])("code is told that it nests too deeply, and goes on: %s", async (_, setup, start) => {
  const code = `${setup}\nlet told; try { ${start} } catch (e) { told = String(e) } finally { console.log('on') }\ntold`;
  expect((await measured(code)).ran).toEqual({ printed: "on\n", ok: true, text: '"InternalError: stack overflow"' });
});

test("many lines go out together, and none of them is lost, however the code ends", async () => {
  const parse = vi.spyOn(JSON, "parse");
  const lines = "for (let i = 1; i <= 20_000; i++) console.log('line ' + i);";
  for (const [rest, says, total, end] of [
    ["", "", 208_894, "line 20000\n"],
    ["throw new Error('no')", "Error: no", 208_894, "line 20000\n"],
    ["await new Promise(() => {})", "never settles", 208_894, "line 20000\n"],
    ["while (true);", "Stopped after", 208_894, "line 20000\n"],
    ["const all = []; while (true) all.push('x'.repeat(1e5))", "out of memory", 208_894, "line 20000\n"],
    ["({ toJSON() { console.log('last'); return 1 } })", "1", 208_899, "line 20000\nlast\n"],
  ] as const) {
    parse.mockClear();
    const job = { code: lines + rest, timeMs: 3_000, memoryBytes: 64 * megabyte, maxText: 1_000, maxPrinted: 1e6 };
    const { printed, text = "" } = await runInWorld(engine, job, () => {});
    expect(text).toContain(says);
    expect(printed).toContain(` of ${total} characters left out`);
    expect(printed.endsWith(end)).toBe(true);
    // What comes out of the world is parsed, each time that something does.
    expect(parse.mock.calls.length).toBeLessThan(2_000);
  }
});

test("a smaller or a larger memory can be given", async () => {
  const code = "const all = []; for (let n = 0; n < 100; n++) all.push(new Uint8Array(1e6)); all.length";
  expect((await measured(code, 128 * megabyte)).ran).toEqual({ printed: "", ok: true, text: "100" });
  const small = await measured(code, 32 * megabyte);
  expect(small.ran).toMatchObject({ ok: false, text: "InternalError: out of memory: it may hold 32 MB." });
  expect(small.most).toBeLessThanOrEqual(32);
});
