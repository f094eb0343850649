import { describe, expect, test } from "vitest";
import { type AgentEvent, createRuntime, exec, type Runtime, tool } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { picks, usersOf } from "../loop/play.fixture.ts";

/** A runtime whose only tool waits until it is let go, and says in which run it was called. */
function waiting(script: Parameters<typeof scripted>[0]) {
  const called = Promise.withResolvers<string>();
  const gate = Promise.withResolvers<void>();
  const wait = tool({
    name: "wait",
    execute: async (_args, ctx) => {
      called.resolve(ctx.idempotencyKey.split("/")[0] ?? "");
      await gate.promise;
    },
  });
  const model = scripted(script);
  const runtime = createRuntime({ model, tools: [wait] });
  return { model, runtime, called: called.promise, go: gate.resolve };
}

const ways: readonly (readonly [string, (runtime: Runtime) => Promise<unknown>])[] = [
  ["exec", (runtime) => runtime.exec("go")],
  ["run", (runtime) => runtime.run("go").result],
  ["runs.start", (runtime) => runtime.runs.start("run_1", "go")],
];

describe.each(ways)("a run begun by %s is found by its id while it goes on", (_, begin) => {
  test("result", async () => {
    const { runtime, called, go } = waiting([picks("wait"), "done"]);
    const ended = begin(runtime);
    const result = runtime.runs.result(await called);
    go();
    expect(await result).toMatchObject({ outcome: "stop", text: "done", rounds: 2 });
    await ended;
  });

  test("observe", async () => {
    const { runtime, called, go } = waiting([picks("wait"), "done"]);
    const ended = begin(runtime);
    const id = await called;
    const seen: AgentEvent[] = [];
    const reading = (async () => {
      for await (const event of runtime.runs.observe(id)) seen.push(event);
    })();
    go();
    await Promise.all([ended, reading]);
    expect(seen[0]).toMatchObject({ type: "agent_start", runId: id });
    expect(seen.at(-1)).toMatchObject({ type: "agent_end", text: "done" });
  });

  test("send", async () => {
    const { model, runtime, called, go } = waiting([picks("wait"), "done"]);
    const ended = begin(runtime);
    const receipt = runtime.runs.send(await called, { kind: "now", message: { role: "user", content: "hurry" } });
    expect(receipt.status).toBe("queued");
    go();
    await ended;
    expect(receipt).toMatchObject({ status: "delivered", round: 2 });
    expect(usersOf(model.requests[1]?.messages)).toEqual(["go", "hurry"]);
  });

  test("cancel", async () => {
    const { runtime, called } = waiting([picks("wait")]);
    const ended = begin(runtime).catch((error: unknown) => error);
    const id = await called;
    const result = runtime.runs.result(id);
    runtime.runs.cancel(id, "enough");
    expect(await result).toMatchObject({ outcome: "aborted" });
    await ended;
  });

  test("start joins it, and asks the model nothing more", async () => {
    const { model, runtime, called, go } = waiting([picks("wait"), "done"]);
    const ended = begin(runtime);
    const joined = runtime.runs.start(await called, "something else");
    go();
    expect(await joined).toMatchObject({ text: "done" });
    await ended;
    model.check();
  });

  test("and no longer when it has ended", async () => {
    const { runtime, called, go } = waiting([picks("wait"), "done"]);
    go();
    await begin(runtime);
    const id = await called;
    await expect(runtime.runs.result(id)).rejects.toMatchObject({ code: "host", message: expect.stringContaining(id) });
    expect(await runtime.runs.send(id, { kind: "now", message: { role: "user", content: "x" } }).settled).toBe(
      "undelivered",
    );
  });
});

test("a nested run is found by the id that its events carry", async () => {
  const model = scripted([picks("nest"), { hang: true }, "done"]);
  const nest = tool({ name: "nest", execute: () => exec("inner", { tools: [] }) });
  const runtime = createRuntime({ model });
  const run = runtime.run("go", { tools: [nest] });
  for await (const event of run)
    if (event.path !== "" && event.type === "round_start") runtime.runs.cancel(event.runId);
  expect(await run.result).toMatchObject({ outcome: "stop", text: "done" });
});

test("runs that threw before they began leave nothing behind", async () => {
  const runtime = createRuntime({ model: scripted([]) });
  await expect(runtime.runs.start("r", "go", { tools: [tool.named("none")] })).rejects.toMatchObject({
    code: "unknown_tool",
  });
  await expect(runtime.runs.result("r")).rejects.toMatchObject({ code: "host" });
});

test.each([[""], [null], [7], [Symbol("s")]])("the id %s is a caller mistake", async (id) => {
  const runtime = createRuntime({ model: scripted([]) });
  await expect(runtime.runs.start(id as never, "go")).rejects.toMatchObject({ code: "invalid_option" });
});
