import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRuntime, exec, method, type Receipt } from "../../src/core.ts";
import { logged, microtasks, picks, read, usersOf } from "../loop/play.fixture.ts";
import { expectNothingUnhandled } from "../loop/unhandled.fixture.ts";
import { endOf, routed } from "./agents.fixture.ts";

expectNothingUnhandled();

const _said = (receipt: Receipt) => [receipt.status, receipt.round];
const _messagesAt = (events: Awaited<ReturnType<typeof read>>, path: string) => {
  const end = endOf(events, path);
  return end?.type === "agent_end" ? end : undefined;
};

describe("STEER-05 callbacks of a nested exec", () => {
  test("that fail once are told there, and everything else goes on", async () => {
    let asked = 0;
    const log: string[] = [];
    const { model } = routed({ go: [picks("nest"), "outer"], inner: [picks("a", "b", "c"), "inner"] });
    const nest = method({ name: "nest" }, () =>
      exec("inner", {
        tools: ["a", "b", "c"].map((name) => logged(name, log)),
        getSteeringMessages: () => {
          if (++asked === 2) throw new Error("no connection");
          return [];
        },
      }),
    );
    const handle = createRuntime({ model }).run("go", { tools: [nest] });
    const events = await read(handle);
    expect(log).toEqual(["a", "b", "c"]);
    expect(events.filter(({ type }) => type === "warning")).toMatchObject([
      { path: "1/0/0", code: "callback", message: expect.stringMatching(/no connection/) },
    ]);
    expect((await handle.result).outcome).toBe("stop");
  });
});

describe("STEER-03 a message at any moment", () => {
  const inDeltas = { text: "well", chunk: 1 };

  /** Sends after so many microtasks from the first delta of a nested reply; says where it went. */
  async function sent(offset: number, depth: number, watched: boolean) {
    const { model } = routed({ 0: [inDeltas, "0"], 1: [inDeltas, "1"], 2: [inDeltas, "2"] });
    const base = routed({ go: [picks("m"), "done", "done"] }).model;
    const level = (at: number) =>
      method({ name: "m" }, async (): Promise<unknown> => {
        if (at < depth) return level(at + 1)();
        return exec("0", { model, tools: [] });
      });
    const m = level(0);
    const handle = watched ? m.run() : createRuntime({ model: base }).run("go", { tools: [m] });
    const at = Promise.withResolvers<string>();
    const reading = (async () => {
      const ends: { path: string; undelivered: number; heard: number }[] = [];
      for await (const event of handle) {
        if (event.type === "message_update" && (event.path !== "" || watched)) at.resolve(event.path);
        if (event.type === "agent_end") {
          const heard = usersOf(event.messages).filter((text) => text === "late").length;
          ends.push({ path: event.path, undelivered: event.undelivered.length, heard });
        }
      }
      return ends;
    })();
    const to = await at.promise;
    await microtasks(offset);
    const receipt = handle.send("late", { to });
    const immediate = receipt.status;
    await handle.result;
    const ends = (await reading).filter(({ path }) => path === to);
    return { status: receipt.status, immediate, heard: ends[0]?.heard ?? -1, undelivered: ends[0]?.undelivered ?? -1 };
  }

  test("is read, or is undelivered at once: never accepted and forgotten", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(40), fc.nat(2), fc.boolean(), async (offset, depth, watched) => {
        const { status, immediate, heard, undelivered } = await sent(offset, depth, watched);
        if (immediate === "undelivered") expect([status, heard, undelivered]).toEqual(["undelivered", 0, 0]);
        else expect([status, heard, undelivered]).toEqual(["delivered", 1, 0]);
      }),
      { numRuns: 400 },
    );
  });

  test("both happen", async () => {
    const statuses = new Set<string>();
    for (let offset = 0; offset < 40; offset++) statuses.add((await sent(offset, 0, false)).status);
    expect([...statuses].toSorted()).toEqual(["delivered", "undelivered"]);
  });
});
