import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callsOf, type Message, textOf } from "../../message/message.ts";
import type { ModelEvent, ModelRequest } from "../model.ts";
import { ggufOf } from "./file-server.fixture.ts";
import { type LlamaDouble, llamaDouble, type Scripted } from "./llama.fixture.ts";
import { type LocalModel, type LocalOptions, local } from "./local.ts";

let folder = "";
let file = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rondo-local-"));
  file = join(folder, "small.gguf");
  await writeFile(file, ggufOf(10));
});
afterAll(() => rm(folder, { recursive: true }));

const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] } as const;
const tools = ["read_file", "list_dir"].map((name) => ({ name, description: name, parameters }));
const messages: Message[] = [{ role: "user", content: "Read a.txt." }];
const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({ messages, tools, toolChoice: "auto", ...more });

const say =
  (...pieces: string[]): Scripted =>
  ({ onResponseChunk }) => {
    for (const text of pieces) onResponseChunk({ text });
    return "eogToken";
  };
const call =
  (...paths: string[]): Scripted =>
  ({ onFunctionCallParamsChunk }) => {
    for (const [callIndex, path] of paths.entries()) {
      const pieces = [`{"path": `, `"${path}"}`, "\n\n\n", "\n"];
      for (const [at, paramsChunk] of pieces.entries())
        onFunctionCallParamsChunk?.({ callIndex, functionName: "read_file", paramsChunk, done: at === 3 });
    }
    return "functionCalls";
  };

function made(script: Scripted[], options: LocalOptions = {}, about?: Parameters<typeof llamaDouble>[1]) {
  const double = llamaDouble(script, about);
  return { double, model: local(file, { id: "local/small", llama: double.module, ...options }) };
}

async function ask(model: LocalModel, asked = request(), signal = new AbortController().signal) {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(asked, signal)) events.push(event);
  const end = events.at(-1);
  if (end?.type !== "end") throw new Error("no end");
  return { events, message: end.message, error: end.error, text: textOf(end.message), calls: callsOf(end.message) };
}

describe("a reply", () => {
  test("streams text, and says what it took", async () => {
    const { model } = made([say("Hel", "lo.")]);
    const { events, message, text } = await ask(model);
    expect(events.map(({ type }) => type)).toEqual(["text", "text", "end"]);
    expect(text).toBe("Hello.");
    expect(message).toMatchObject({ model: "local/small", stopReason: "stop", usage: { outputTokens: 5 } });
    expect(message.usage.inputTokens).toBeGreaterThan(0);
  });

  test("has calls, whose arguments end where their JSON does", async () => {
    const { model } = made([call("a.txt", "b.txt")]);
    const { events, calls, message } = await ask(model);
    expect(calls.map(({ arguments: given }) => given)).toEqual(['{"path": "a.txt"}', '{"path": "b.txt"}']);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    expect(message.stopReason).toBe("tool_calls");
    const deltas = events.map((event) => (event.type === "call_delta" ? event.delta : "")).join("");
    expect(deltas).toBe('{"path": "a.txt"}{"path": "b.txt"}');
  });

  test("reads calls that were written as text, but not where none may come", async () => {
    const written = '{"name": "read_file", "arguments": {"path": "a.txt"}}';
    const { model } = made([say("```json\n", written, "\n```"), say(written)]);
    expect((await ask(model)).calls).toMatchObject([{ name: "read_file", arguments: '{"path":"a.txt"}' }]);
    const none = await ask(model, request({ toolChoice: "none" }));
    expect(none).toMatchObject({ calls: [], text: written });
  });

  test("is stopped behind a call that was written as text", async () => {
    let stopped = false;
    const babbles: Scripted = async ({ signal, onResponseChunk }) => {
      for (const text of ['{"name": "read_', 'file", "arguments": {"path": "}', '"}}', "\n{"]) {
        if (signal.aborted) stopped = true;
        signal.throwIfAborted();
        onResponseChunk({ text });
      }
      return "maxTokens";
    };
    const { message, calls } = await ask(made([babbles]).model);
    expect(calls).toMatchObject([{ arguments: '{"path":"}"}' }]);
    expect({ stopped, reason: message.stopReason }).toEqual({ stopped: true, reason: "tool_calls" });
  });

  test("that is cut has a partial call", async () => {
    const half: Scripted = ({ onFunctionCallParamsChunk }) => {
      onFunctionCallParamsChunk?.({ callIndex: 0, functionName: "read_file", paramsChunk: '{"path', done: false });
      return "maxTokens";
    };
    const { message, calls } = await ask(made([half]).model);
    expect(message.stopReason).toBe("length");
    expect(calls).toMatchObject([{ partial: true }]);
  });

  test("that fails says why; arguments that the package cannot read are a call all the same", async () => {
    const fails = () => Promise.reject(new Error("out of memory"));
    const { model } = made([
      fails,
      async (...given) => {
        await call("a.txt")(...given);
        throw new Error("bad JSON");
      },
    ]);
    expect(await ask(model)).toMatchObject({ error: { kind: "unknown", message: "out of memory" } });
    expect(await ask(model)).toMatchObject({ error: undefined, message: { stopReason: "tool_calls" } });
  });
});

describe("a request", () => {
  const functions = ({ options }: LlamaDouble) => options.map((one) => Object.keys(one.functions ?? {}));

  test("holds the model to its choice", async () => {
    const { double, model } = made(Array.from({ length: 4 }, () => say("ok")));
    const named = { type: "function", names: ["list_dir"] } as const;
    for (const toolChoice of ["auto", "required", named, "none"] as const) await ask(model, request({ toolChoice }));
    expect(functions(double)).toEqual([["read_file", "list_dir"], ["read_file", "list_dir"], ["list_dir"], []]);
    expect(double.states).toEqual([
      { described: ["read_file", "list_dir"], forced: false },
      { described: ["read_file", "list_dir"], forced: true },
      { described: ["read_file", "list_dir"], forced: true },
      { described: [], forced: false },
    ]);
    expect(double.options.map((one) => one.maxParallelFunctionCalls)).toEqual([8, 1, 1, undefined]);
  });

  test("for JSON has a grammar without tools, and is asked in words beside them", async () => {
    const { double, model } = made([say("{}"), say("{}")]);
    const output = { schema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } } as const;
    await ask(model, request({ tools: [], output }));
    expect(double.schemas).toEqual([{ type: "object", properties: { n: { type: "integer" } } }]);
    expect(double.options[0]?.grammar).toBeDefined();
    let seen = "";
    const look: Scripted = (_, history) => {
      seen = JSON.stringify(history);
      return "eogToken";
    };
    const { model: other } = made([look]);
    await ask(other, request({ output, system: "Be brief." }));
    expect(seen).toContain("Be brief.\\n\\nWhen you have what you need");
  });

  test("has its limits", async () => {
    const { double, model } = made([say("a"), say("b")], { temperature: 0.5, repeatPenalty: 1 });
    await ask(model, request({ maxOutputTokens: 7, temperature: 0.2 }));
    await ask(model);
    expect(double.options[0]).toMatchObject({ maxTokens: 7, temperature: 0.2, repeatPenalty: false });
    expect(double.options[1]?.temperature).toBe(0.5);
  });

  test("that has no room is an overflow", async () => {
    const { model, double } = made([], {}, { contextSize: 30 });
    const long = [{ role: "user", content: "word ".repeat(100) }] as const;
    const { error } = await ask(model, request({ messages: long, tools: [] }));
    expect(error).toMatchObject({ kind: "context_overflow", message: expect.stringContaining("contextTokens") });
    expect(double.options).toEqual([]);
    expect(model.contextTokens).toBe(30);
  });

  test("does not evaluate again what it has in common with the one before", async () => {
    const { model, double } = made([say("a"), say("b")]);
    const growing: Message[] = [{ role: "user", content: Array.from({ length: 300 }, (_, n) => `w${n}`).join(" ") }];
    await ask(model, request({ messages: growing, tools: [] }));
    const first = double.evaluated.reduce((a, b) => a + b);
    expect(Math.max(...double.evaluated)).toBeLessThanOrEqual(128);
    growing.push({ role: "user", content: "more" });
    const { message } = await ask(model, request({ messages: growing, tools: [] }));
    expect(double.evaluated.reduce((a, b) => a + b) - first).toBeLessThan(10);
    expect(message.usage.cacheReadTokens).toBeGreaterThan(290);
  });
});

describe("one at a time", () => {
  test("the next begins when the one before is done", async () => {
    let release = () => {};
    const order: string[] = [];
    const first: Scripted = async () => {
      order.push("first");
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      order.push("first done");
      return "eogToken";
    };
    const second: Scripted = () => {
      order.push("second");
      return "eogToken";
    };
    const { model, double } = made([first, second]);
    const both = Promise.all([ask(model), ask(model)]);
    while (order.length === 0) await new Promise(setImmediate);
    release();
    await both;
    expect(order).toEqual(["first", "first done", "second"]);
    expect(double.loads).toBe(1);
  });

  test("an abort ends a generation, and who waits", async () => {
    const abort = new AbortController();
    const endless: Scripted = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const { model, double } = made([endless, say("after")]);
    const running = ask(model, request(), abort.signal);
    const waiting = ask(model, request(), abort.signal);
    while (double.options.length === 0) await new Promise(setImmediate);
    abort.abort();
    for (const { message, error } of await Promise.all([running, waiting]))
      expect({ stopReason: message.stopReason, kind: error?.kind }).toEqual({ stopReason: "aborted", kind: "aborted" });
    expect((await ask(model)).text).toBe("after");
  });

  test("who leaves in the middle ends it, too", async () => {
    let ended = false;
    const endless: Scripted = ({ signal, onResponseChunk }) => {
      onResponseChunk({ text: "Well" });
      return new Promise((_, reject) =>
        signal.addEventListener("abort", () => {
          ended = true;
          reject(signal.reason);
        }),
      );
    };
    const { model } = made([endless, say("after")]);
    for await (const _ of model.stream(request(), new AbortController().signal)) break;
    expect((await ask(model)).text).toBe("after");
    expect(ended).toBe(true);
  });
});

test("a model whose template knows no tools picks them in text", async () => {
  const written = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>';
  const { model, double } = made([say(written)], {}, { template: "{{ messages }}" });
  expect((await ask(model)).calls).toMatchObject([{ name: "read_file" }]);
  expect(double.options[0]?.functions).toBeUndefined();
});

test("dispose waits for what is going on; then nothing more is answered", async () => {
  let release = (_: string) => {};
  const slow: Scripted = () =>
    new Promise((resolve) => {
      release = resolve;
    });
  const { model, double } = made([slow]);
  const answered = ask(model);
  while (double.options.length === 0) await new Promise(setImmediate);
  const gone = model.dispose();
  expect(double.disposed).toBe(false);
  release("eogToken");
  expect((await answered).message.stopReason).toBe("stop");
  await gone;
  expect(double.disposed).toBe(true);
  await expect(ask(model)).rejects.toThrow("was disposed");
});

test("what is missing is said, and the next request tries again", async () => {
  const path = join(folder, "later.gguf");
  const double = llamaDouble([say("there")]);
  const model = local(path, { llama: double.module });
  await expect(ask(model)).rejects.toMatchObject({ code: "unknown_model", message: `There is no file ${path}.` });
  await writeFile(path, ggufOf(1));
  expect((await ask(model)).text).toBe("there");
  await expect(ask(local("none", { env: { XDG_DATA_HOME: folder } }))).rejects.toThrow("rondo models add");
});

test.each<[string, LocalOptions]>([
  ["", {}],
  ["x", { contextTokens: 0 }],
  ["x", { threads: 1.5 }],
  ["x", { temperature: Number.NaN }],
  ["x", { tools: "none" as never }],
])("local(%j, %j) is a mistake", (name, options) => {
  expect(() => local(name, options)).toThrow(/^local: /);
});
