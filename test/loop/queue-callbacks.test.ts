import { describe, expect, test } from "vitest";
import {
  answers,
  during,
  logged,
  once,
  picks,
  play,
  skipped,
  sleep,
  start,
  usersOf,
  warningsOf,
} from "./play.fixture.ts";

describe("getSteeringMessages and getFollowUpMessages", () => {
  test("steering is asked after each call and skips the rest", async () => {
    const log: string[] = [];
    const { result, model } = await play([picks("a", "b", "c"), "done"], {
      tools: ["a", "b", "c"].map((name) => logged(name, log)),
      getSteeringMessages: () => {
        if (log.length !== 2) return [];
        log.push("asked");
        return ["turn round"];
      },
    });
    expect(log).toEqual(["a", "b", "asked"]);
    expect(answers(result.messages)).toEqual(["a done", "b done", skipped]);
    expect(usersOf(model.requests[1]?.messages)).toEqual(["go", "turn round"]);
  });

  test("steering is asked before the first request", async () => {
    const { model } = await play(["done"], { getSteeringMessages: once("at once") });
    expect(usersOf(model.requests[0]?.messages)).toEqual(["go", "at once"]);
  });

  test("messages may be text or user messages, given at once or later", async () => {
    let asked = 0;
    const { model } = await play(["one", "two"], {
      getFollowUpMessages: async () => {
        await sleep(1);
        return asked++ === 0 ? ["text", { role: "user", content: [{ type: "text", text: "parts" }] }] : [];
      },
    });
    expect(usersOf(model.requests[1]?.messages)).toEqual(["go", "text", "parts"]);
  });

  test("follow-ups are asked only when the run would rest", async () => {
    const log: string[] = [];
    const { model } = await play([picks("a"), "one", "two"], {
      tools: [logged("a", log)],
      getFollowUpMessages: () => {
        log.push("asked");
        return log.filter((one) => one === "asked").length === 1 ? ["more"] : [];
      },
    });
    expect(log).toEqual(["a", "asked", "asked"]);
    expect(usersOf(model.requests[2]?.messages)).toEqual(["go", "more"]);
  });

  test("at rest steering comes first, from callback or inbox; follow-ups only when both have none", async () => {
    const steering = [[], ["steer 1"], []];
    const followUps = [["follow 1"], []];
    const { run, ended, model } = start(
      [
        () => {
          run.send("follow 0", { when: "at_end" });
          return "one";
        },
        "two",
        "three",
        "four",
      ],
      {
        getSteeringMessages: () => steering.shift() ?? [],
        getFollowUpMessages: () => followUps.shift() ?? [],
      },
    );
    await ended();
    const order = usersOf(model.requests.at(-1)?.messages);
    expect(order[0]).toBe("go");
    expect(order[1]).toBe("steer 1");
    expect(order.slice(2).toSorted()).toEqual(["follow 0", "follow 1"]);
  });

  test("what a callback gave is accounted for when the run ends without reading it", async () => {
    const controller = new AbortController();
    const { result } = await play([picks("a", "b")], {
      tools: [during("a", [], () => controller.abort()), logged("b", [])],
      signal: controller.signal,
      getSteeringMessages: (() => {
        let asked = 0;
        return () => (asked++ === 1 ? ["lost?"] : []);
      })(),
    });
    expect(result.outcome).toBe("aborted");
    const read = usersOf(result.messages).includes("lost?");
    const back = usersOf(result.undelivered).includes("lost?");
    expect(read && back).toBe(false);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("queue is down");
      },
    ],
    ["rejects", () => Promise.reject(new Error("queue is down"))],
    ["throws nothing", () => Promise.reject(undefined)],
    ["gives no list", () => "text" as never],
    ["gives what is no message", () => [{ role: "assistant", content: 7 }] as never],
  ] as const)("STEER-05 steering that %s: a warning, and the calls go on", async (_, bad) => {
    const log: string[] = [];
    let asked = 0;
    const { result, events } = await play([picks("a", "b", "c"), "done"], {
      tools: ["a", "b", "c"].map((name) => logged(name, log)),
      getSteeringMessages: () => (asked++ === 1 ? bad() : []),
    });
    expect(log).toEqual(["a", "b", "c"]);
    expect(result.outcome).toBe("stop");
    expect(warningsOf(events)).toHaveLength(1);
  });

  test("STEER-05 follow-ups that throw: a warning, and the run rests", async () => {
    const { result, events } = await play(["done"], {
      getFollowUpMessages: () => {
        throw new Error("queue is down");
      },
    });
    expect(result).toMatchObject({ outcome: "stop", text: "done" });
    expect(warningsOf(events)).toHaveLength(1);
    expect(warningsOf(events)[0]?.message).toMatch(/queue is down/);
  });

  test.each(["getSteeringMessages", "getFollowUpMessages"] as const)(
    "one bad message of %s is told by its place and what is wrong; the others are read",
    async (name) => {
      let asked = 0;
      const given = ["one", " ", "two", { role: "assistant", content: "three" }, "four"] as string[];
      const { model, result, events } = await start(["first", "second"], {
        [name]: () => (asked++ === 0 ? given : []),
      }).ended();
      expect(result.outcome).toBe("stop");
      expect(usersOf(model.requests.at(-1)?.messages)).toEqual(["go", "one", "two", "four"]);
      const warnings = warningsOf(events).map(({ message }) => message);
      expect(warnings).toHaveLength(2);
      for (const warning of warnings) expect(warning).toContain(name);
      expect(warnings[0]).toMatch(/message 1 .*empty/);
      expect(warnings[1]).toMatch(/message 3 .*assistant/);
    },
  );

  test("a callback that gives no list says so", async () => {
    const { events } = await play(["done"], { getSteeringMessages: (() => undefined) as never });
    expect(warningsOf(events)[0]?.message).toMatch(/getSteeringMessages.*list.*undefined/);
  });

  test("a callback that hangs does not outlive an abort", async () => {
    const controller = new AbortController();
    const { ended } = start(["done"], {
      signal: controller.signal,
      getSteeringMessages: () => new Promise(() => {}),
    });
    setImmediate(() => controller.abort());
    expect((await ended()).result.outcome).toBe("aborted");
  });

  test("a message sent while a callback is asked at rest is not lost", async () => {
    let asked = 0;
    const { run, ended } = start(["one", "two"], {
      getFollowUpMessages: async () => {
        if (asked++ === 0) run.send("meanwhile");
        await sleep(1);
        return [];
      },
    });
    const { result } = await ended();
    expect(result).toMatchObject({ text: "two", undelivered: [] });
    expect(usersOf(result.messages)).toEqual(["go", "meanwhile"]);
  });
});
