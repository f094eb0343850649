import v8 from "node:v8";
import vm from "node:vm";
import { describe, expect, test } from "vitest";
import { createRuntime, type Message, tool } from "../../src/core.ts";
import { picks, play, sleep, tokens } from "./play.fixture.ts";

describe("CONC-04 nothing is retained", () => {
  v8.setFlagsFromString("--expose-gc");
  const gc = vm.runInNewContext("gc") as () => void;
  const collected = async (refs: readonly WeakRef<object>[]) => {
    for (let tries = 0; tries < 20 && refs.some((ref) => ref.deref() !== undefined); tries++) {
      await sleep(1);
      gc();
    }
    return refs.filter((ref) => ref.deref() !== undefined).length;
  };

  test("finished nested runs and their results are collectable while the outer run goes on", async () => {
    const refs: WeakRef<object>[] = [];
    const nest = tool({
      name: "nest",
      execute: async (_args, ctx) => {
        const run = ctx.runtime.run("inner", { tools: [] });
        const result = await run.result;
        refs.push(new WeakRef(run), new WeakRef(result), new WeakRef(result.messages));
        return "ok";
      },
    });
    const gate = Promise.withResolvers<number>();
    const count = 30;
    // An own model: `scripted` keeps its requests.
    let asked = 0;
    const model = {
      id: "m",
      async *stream(request: { readonly messages: readonly Message[] }) {
        const outer = request.messages[0]?.content === "go";
        if (outer && ++asked > count) gate.resolve(await collected(refs));
        const calls = outer && asked <= count;
        yield {
          type: "end" as const,
          message: {
            role: "assistant" as const,
            content: calls
              ? [{ type: "tool_call" as const, id: `c${asked}`, name: "nest", arguments: "{}" }]
              : [{ type: "text" as const, text: "done" }],
            model: "m",
            usage: tokens(0, 0),
            stopReason: "stop" as const,
          },
        };
      },
    };
    await createRuntime({ model }).exec("go", { tools: [nest], maxIterations: 100 });
    expect(refs).toHaveLength(count * 3);
    expect(await gate.promise).toBeLessThanOrEqual(3);
  });

  test("raw values that tools return are not kept", async () => {
    const refs: WeakRef<object>[] = [];
    const big = tool({
      name: "big",
      execute: () => {
        const value = { text: "x".repeat(100) };
        refs.push(new WeakRef(value));
        return value;
      },
    });
    const left = Promise.withResolvers<number>();
    await play(
      [
        picks("big", "big"),
        async () => {
          left.resolve(await collected(refs));
          return "done";
        },
      ],
      { tools: [big] },
    );
    expect(await left.promise).toBe(0);
  });

  test("a finished run is collectable although its signal and runtime live on", async () => {
    const controller = new AbortController();
    const runtime = createRuntime({ model: { id: "m", stream: endless } });
    const refs: WeakRef<object>[] = [];
    for (let i = 0; i < 10; i++) {
      const run = runtime.run("go", { tools: [], signal: controller.signal, timeoutMs: 3_600_000 });
      refs.push(new WeakRef(run), new WeakRef(await run.result));
    }
    expect(await collected(refs)).toBeLessThanOrEqual(2);
    expect(controller.signal.aborted).toBe(false);
  });

  async function* endless() {
    yield {
      type: "end" as const,
      message: {
        role: "assistant" as const,
        content: [{ type: "text" as const, text: "done" }],
        model: "m",
        usage: tokens(0, 0),
        stopReason: "stop" as const,
      },
    };
  }
});
