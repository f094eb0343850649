import { describe, expect, test } from "vitest";
import { type AgentEvent, exec, method, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { hanging, picks, read, sleep, until } from "../loop/play.fixture.ts";
import { checkReader, streaming } from "../loop/reading.fixture.ts";
import { expectNothingUnhandled } from "../loop/unhandled.fixture.ts";
import { routed } from "./agents.fixture.ts";

expectNothingUnhandled();

const asking = (model: ReturnType<typeof scripted>, ...prompts: string[]) =>
  method({ name: "m" }, async () => {
    const texts: string[] = [];
    for (const prompt of prompts) texts.push(await exec(prompt, { model, tools: [] }));
    return texts;
  });

async function textOf(text: AsyncIterable<string>): Promise<string> {
  let all = "";
  for await (const delta of text) all += delta;
  return all;
}

describe("readers of a method's run", () => {
  test("that come late are told of it, then hear the rest; several at once", async () => {
    const gate = Promise.withResolvers<string>();
    const model = scripted(["one", () => gate.promise]);
    const handle = asking(model, "first", "second").run();
    await until(() => model.requests.length === 2);
    const late = [read(handle), read(handle)];
    gate.resolve("two");
    for (const events of await Promise.all(late)) {
      checkReader(events);
      expect(events[0]).toMatchObject({ type: "agent_start", path: "", gap: true });
      expect(events.filter(({ type }) => type === "agent_end").map(({ path }) => path)).toEqual(["1", ""]);
    }
    const after = await read(handle);
    expect(after[0]).toMatchObject({ type: "agent_start", gap: true });
    expect(after.at(-1)).toMatchObject({ type: "agent_end", path: "", outcome: "stop" });
  });

  test("that stop reading hold nothing up", async () => {
    const model = scripted([{ text: "a long text", chunk: 1 }]);
    const handle = asking(model, "go").run();
    for await (const event of handle) if (event.type === "message_update") break;
    expect(await handle.result).toMatchObject({ value: ["a long text"] });
  });

  test("that read slowly, or never, cost nothing: they lag and are told in short", async () => {
    const { model } = streaming(5000);
    const m = method({ name: "m" }, () => exec("go", { model, tools: [] }));
    const handle = m.run();
    const iterator = handle[Symbol.asyncIterator]();
    const absent = handle[Symbol.asyncIterator]();
    const first = await iterator.next();
    expect(first.value).toMatchObject({ type: "agent_start" });
    const result = await handle.result;
    const rest = await read({ [Symbol.asyncIterator]: () => iterator });
    expect(rest.length).toBeLessThan(1100);
    checkReader([first.value as AgentEvent, ...rest]);
    expect(rest.at(-1)).toMatchObject({ type: "agent_end", path: "", text: result.text });
    await absent.return?.();
  });

  test("of text get that of the runs directly in it, and only theirs", async () => {
    const { model } = routed({ first: [picks("t"), "one "], second: ["two"], deep: ["not this"] });
    const t = tool({ name: "t", execute: () => exec("deep", { tools: [] }) });
    const helper = method({ name: "helper" }, () => exec("deep", { model, tools: [] }));
    const m = method({ name: "m" }, async () => {
      await exec("first", { model, tools: [t] });
      return exec("second", { model, tools: [] });
    });
    const handle = m.run();
    const late = handle.result.then(() => textOf(handle.text));
    expect(await textOf(handle.text)).toBe("one two");
    expect(await late).toBe("two");
    void helper;
  });

  test("nobody who reads: nothing rejects, whatever is thrown", async () => {
    method({ name: "m" }, () => Promise.reject(new Error("unheard"))).run();
    method({ name: "n" }, () => exec("go", { model: hanging(), tools: [], timeoutMs: 3 })).run();
    await sleep(20);
  });
});
