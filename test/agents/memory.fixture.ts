// Run with --expose-gc: prints how many of the finished nested runs are still held, while the outer run goes on.
import { createRuntime, exec, type Message, method } from "../../src/core.ts";

const refs: WeakRef<object>[] = [];
const keep = (one: object) => void refs.push(new WeakRef(one));
const count = 200;
const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function held(): Promise<number> {
  for (let tries = 0; tries < 20 && refs.some((ref) => ref.deref()); tries++) {
    await sleep(2);
    globalThis.gc?.();
  }
  return refs.filter((ref) => ref.deref()).length;
}

let asked = 0;
const model = {
  id: "m",
  async *stream({ messages }: { readonly messages: readonly Message[] }) {
    const outer = messages[0]?.content === "go";
    keep(outer ? {} : messages);
    if (outer && ++asked > count) console.log(JSON.stringify({ made: refs.length, held: await held() }));
    const calls = outer && asked <= count;
    const content = calls
      ? [
          {
            type: "tool_call" as const,
            id: `c${asked}`,
            name: asked % 2 === 0 ? "picked" : "watching",
            arguments: "{}",
          },
        ]
      : [{ type: "text" as const, text: "done" }];
    yield {
      type: "end" as const,
      message: { role: "assistant" as const, content, model: "m", usage, stopReason: "stop" as const },
    };
  },
};

const ask = () => exec("inner", { tools: [] });
const watched = method({ name: "watched" }, async (_args, ctx) => {
  keep(ctx);
  await Promise.all([ask(), ask()]);
  return { big: "x".repeat(1000) };
});
const picked = method({ name: "picked" }, async (_args, ctx) => {
  keep(ctx);
  return ask();
});
const watching = method({ name: "watching" }, async () => {
  const handle = watched.run();
  handle.send("read this");
  const reading = handle[Symbol.asyncIterator]();
  await reading.next();
  const result = await handle.result;
  for (const one of [handle, result, result.messages, result.value as object]) keep(one);
  return "ok";
});

await createRuntime({ model }).exec("go", { tools: [picked, watching], maxIterations: Number.POSITIVE_INFINITY });
