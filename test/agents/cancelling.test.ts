import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import {
  createRuntime,
  exec,
  type MethodRun,
  method,
  type Run,
  type RunResult,
  resolveModel,
  tool,
} from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { answers, failure, interrupted, never, notRun, picks, read, sleep } from "../loop/play.fixture.ts";
import { expectNothingUnhandled } from "../loop/unhandled.fixture.ts";
import { endOf, routed } from "./agents.fixture.ts";

expectNothingUnhandled();

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server that takes requests and never answers; says when one has come and when it was given up. */
async function hangingServer() {
  const came = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    came.resolve();
    response.on("close", () => gone.resolve());
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, came: came.promise, gone: gone.promise };
}

const stopping: readonly (readonly [string, (run: Run) => void, number | undefined])[] = [
  ["an abort", (run) => run.abort("enough"), undefined],
  ["the deadline", () => {}, 2000],
];

describe.each(stopping)("%s of the root reaches", (_, stop, timeoutMs) => {
  const outcome = timeoutMs === undefined ? "aborted" : "timeout";

  async function stopped(innermost: () => Promise<unknown>, began: Promise<unknown>) {
    const seen = Promise.withResolvers<unknown>();
    const { model } = routed({ go: [picks("first")], second: [picks("leaf")] });
    const watched = method({ name: "watched" }, innermost);
    const leaf = method({ name: "leaf" }, async () => {
      const result = await watched.run().result;
      seen.resolve(result);
      return result.outcome;
    });
    const second = method({ name: "second" }, () => exec("second", { tools: [leaf] }));
    const first = method({ name: "first" }, () => second());
    const run = createRuntime({ model }).run("go", { tools: [first], ...(timeoutMs && { timeoutMs }) });
    const events = read(run);
    await began;
    stop(run);
    const result = await run.result;
    expect(result.outcome).toBe(outcome);
    // At the deadline the nested run may be the first to say so.
    const late = expect.stringMatching(/^! .*(interrupted|time was up)/i);
    expect(answers(result.messages)).toEqual([timeoutMs === undefined ? interrupted : late]);
    expect(endOf(await events, "1/0/0/0")).toMatchObject({ outcome });
    expect(await seen.promise).toMatchObject({ outcome });
  }

  test("the model's request over HTTP at the innermost level", async () => {
    const server = await hangingServer();
    const model = resolveModel("openai-chat/any", { apiKey: "none", baseURL: server.url });
    await stopped(() => exec("innermost", { model, tools: [] }), server.came);
    await server.gone;
  });

  test("CONC-02 a fetch of a tool there, by ctx.signal", async () => {
    const server = await hangingServer();
    const get = tool({
      name: "get",
      execute: (_args, { signal }) => fetch(server.url, { signal }).then((r) => r.text()),
    });
    await stopped(() => exec("innermost", { model: scripted([picks("get")]), tools: [get] }), server.came);
    await server.gone;
  });

  test("a child process of a method there, by ctx.signal", async () => {
    const began = Promise.withResolvers<void>();
    const exited = Promise.withResolvers<unknown>();
    const wait = method({ name: "wait" }, async (_args, { signal }) => {
      const child = spawn(process.execPath, ["-e", "console.log('up'); setTimeout(() => {}, 60000)"], { signal });
      child.on("error", () => {});
      child.on("exit", (_code, name) => exited.resolve(name));
      child.stdout.once("data", () => began.resolve());
      await once(child, "exit");
    });
    await stopped(() => wait(), began.promise);
    expect(await exited.promise).toBe("SIGTERM");
  });
});

describe("an exec in a scope whose run is over", () => {
  async function behind(stop: (run: Run) => void, body: () => Promise<unknown>, timeoutMs?: number) {
    const gate = Promise.withResolvers<void>();
    const seen = Promise.withResolvers<unknown>();
    const late = method({ name: "late" }, async () => {
      await gate.promise;
      seen.resolve(await failure(body()));
    });
    const outer = scripted([picks("late")]);
    const run = createRuntime({ model: outer }).run("go", { tools: [late], ...(timeoutMs && { timeoutMs }) });
    for await (const event of run) if (event.type === "tool_start") stop(run);
    gate.resolve();
    expect(outer.requests).toHaveLength(1);
    return await seen.promise;
  }
  const inner = scripted([]);
  const deeper = method({ name: "deeper" }, () => exec("inner", { model: inner, tools: [] }));

  test.each([
    ["itself", () => exec("inner", { model: inner, tools: [] })],
    ["through a method that is called as code", () => deeper()],
    ["through a method that is watched", async () => Promise.reject((await deeper.run().result).error)],
  ] as const)("rejects at once with its code, before any request: %s", async (_, body) => {
    expect(await behind((run) => run.abort(), body)).toMatchObject({ code: "aborted" });
    expect(await behind(() => {}, body, 20)).toMatchObject({ code: "timeout" });
    expect(inner.requests).toHaveLength(0);
  });
});

describe("TOOL-13 nested runs that nobody awaits", () => {
  test("three at once, tools that reject later: all settles once and nothing is unhandled", async () => {
    const later = (ms: number) => async (_args: unknown, ctx: { signal: AbortSignal }) => {
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
      await sleep(ms);
      throw new Error(`late by ${ms}`);
    };
    const left: Promise<RunResult>[] = [];
    const nested = method({ name: "nested", readOnly: true }, (_args, ctx) => {
      void exec("forgotten", { model: scripted([{ hang: true }]), tools: [] }).catch(() => {});
      left.push(method({ name: "inner" }, later(2)).run().result);
      return later(6)(_args, ctx);
    });
    const tools = [
      nested,
      method({ name: "b", readOnly: true }, later(1)),
      method({ name: "c", readOnly: true }, later(3)),
    ];
    let started = 0;
    const model = scripted([picks("nested", "b", "c")]);
    const run = createRuntime({ model }).run("go", { tools, toolExecution: "overlap" });
    for await (const event of run) if (event.type === "tool_start" && event.path === "" && ++started === 3) run.abort();
    const result = await run.result;
    expect(result.outcome).toBe("aborted");
    expect(answers(result.messages)).toEqual([interrupted, interrupted, interrupted]);
    expect(await left[0]).toMatchObject({ outcome: "aborted" });
    await sleep(15);
  });
});

describe("CONC-12 once the run is over", () => {
  test("a method whose approval or checks are still going on never starts", async () => {
    const log: string[] = [];
    const asking = (name: string, requiresApproval: () => boolean | Promise<boolean>) =>
      method({ name, readOnly: true, requiresApproval }, () => void log.push(name));
    const tools = [
      asking("a", () => true),
      asking("b", async () => {
        await sleep(25);
        return false;
      }),
    ];
    const model = scripted([picks("a", "b")]);
    const handle: { run?: Run } = {};
    const runtime = createRuntime({
      model,
      approve: () => {
        handle.run?.abort();
        return true;
      },
    });
    handle.run = runtime.run("go", { tools, toolExecution: "overlap" });
    const result = await handle.run.result;
    expect(result.outcome).toBe("aborted");
    expect(answers(result.messages)).toEqual([notRun, notRun]);
    await sleep(30);
    expect(log).toEqual([]);
  });

  test("a nested run that is being prepared is not begun", async () => {
    const inner = scripted([]);
    const gate = Promise.withResolvers<void>();
    const nest = method({ name: "nest" }, async () => {
      await gate.promise;
      return exec("inner", { model: inner, tools: [] });
    });
    const handle: MethodRun = method({ name: "outer" }, () => Promise.all([nest(), never()])).run();
    await sleep(1);
    handle.abort();
    expect((await handle.result).outcome).toBe("aborted");
    gate.resolve();
    await sleep(1);
    expect(inner.requests).toHaveLength(0);
  });
});
