import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, test } from "vitest";
import { createRuntime, exec, method, tool } from "../../src/core.ts";
import { picks, read, sleep } from "../loop/play.fixture.ts";
import { acting, promptOf, roundsOf } from "./agents.fixture.ts";

describe("CONC-08 the caller's AsyncLocalStorage", () => {
  const als = new AsyncLocalStorage<string>();

  /** Methods that are picked, called as code, watched, side by side, and a tool in the innermost; all say what they see. */
  function seeing() {
    const seen: unknown[] = [];
    const see = async () => {
      seen.push(als.getStore());
      await sleep(1);
      seen.push(als.getStore());
    };
    const leaf = tool({ name: "leaf", readOnly: true, execute: see });
    const coded = method({ name: "coded" }, async () => {
      await see();
      return exec("inner", { tools: [leaf], toolExecution: "overlap" });
    });
    const picked = method({ name: "picked", readOnly: true }, async () => {
      await see();
      const both = await Promise.all([coded(), coded.run().result]);
      await see();
      return both[0];
    });
    const model = acting((request) => {
      if (promptOf(request) === "inner") return roundsOf(request) === 0 ? picks("leaf", "leaf") : "inner";
      return roundsOf(request) === 0 || roundsOf(request) === 2 ? picks("picked", "picked") : "text";
    });
    const options = { tools: [picked], toolExecution: "overlap" } as const;
    return { seen, runtime: createRuntime({ model }), options, picked, model };
  }

  test("is seen at every depth, side by side, after steering; the reader is outside", async () => {
    const { seen, runtime, options } = seeing();
    const run = als.run("caller", () => runtime.run("go", options));
    let sent = 0;
    for await (const event of run) {
      if (event.type === "message_update" && event.path === "" && event.update.type === "text" && sent++ === 0)
        run.send("more");
      expect(als.getStore()).toBeUndefined();
    }
    expect(usersIn(await run.result)).toEqual(["go", "more"]);
    // Twice two picked methods, each: twice itself, and two coded ones with two leaves.
    expect(seen).toHaveLength(2 * 2 * (4 + 2 * (2 + 2 * 2)));
    expect(new Set(seen)).toEqual(new Set(["caller"]));
  });

  test("is that of whoever called run, for a method that is watched", async () => {
    const { seen, model, picked } = seeing();
    const outer = method({ name: "outer" }, () => exec("go", { model, tools: [picked] }));
    const handle = als.run("caller", () => outer.run());
    await als.run("reader", () => read(handle));
    expect((await handle.result).outcome).toBe("stop");
    expect(new Set(seen)).toEqual(new Set(["caller"]));
  });

  test("two at once never mix", async () => {
    const all = await Promise.all(
      ["one", "two", "three"].map(async (store) => {
        const { seen, runtime, options } = seeing();
        await als.run(store, () => runtime.exec("go", options));
        return [store, seen] as const;
      }),
    );
    for (const [store, seen] of all) expect(new Set(seen)).toEqual(new Set([store]));
  });

  test("two at once through the same methods never mix", async () => {
    const { seen, runtime, options } = seeing();
    const by = async (store: string) => {
      await als.run(store, () => runtime.exec("go", options));
    };
    await Promise.all([by("one"), by("two")]);
    const [one, two] = ["one", "two"].map((store) => seen.filter((it) => it === store).length);
    expect([one, two, seen.length]).toEqual([seen.length / 2, seen.length / 2, 64]);
  });
});

function usersIn({ messages }: { messages: readonly { role: string; content: unknown }[] }) {
  return messages.filter(({ role }) => role === "user").map(({ content }) => content);
}
