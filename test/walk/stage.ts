import type { ExecOptions, RuntimeOptions } from "../../src/agent/options.ts";
import type { Run, Runtime } from "../../src/agent/runtime.ts";
import { createRuntime, memory, tool } from "../../src/core.ts";
import type { AgentEvent } from "../../src/loop/events.ts";
import type { RunResult } from "../../src/loop/outcome.ts";
import type { Model } from "../../src/model/model.ts";
import type { Chooser } from "./chooser.ts";
import type { Callback } from "./letters.ts";
import type { Trace } from "./log.ts";
import { costPerReply, type Inner, type Setup, tokensPerReply } from "./setup.ts";
import { Shared } from "./shared.ts";
import { runWanted } from "./wanted.ts";
import { watched } from "./watched.ts";
import { World } from "./world.ts";

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

const input = { type: "object", properties: { n: { type: "number" } }, required: ["n"] } as const;

/** The tools of a run, bound to its world. */
const toolsOf = (world: () => World) =>
  (["look", "act", "sign"] as const).map((name) =>
    tool({
      name,
      input,
      timeoutMs: Number.POSITIVE_INFINITY,
      readOnly: name === "look",
      requiresApproval: name === "sign",
      execute: (args, ctx) => world().run(name, ctx.callId, (args as { n?: unknown }).n),
    }),
  );

const modelOf = (world: () => World): Model => ({
  id: "walk",
  stream: (request, signal) => world().stream(request, signal),
});

/** Where traces are played, one after the other: one runtime, its host, model and tools bound to the world of the trace. */
export function createStage(): (setup: Setup, chooser: Chooser) => Promise<Trace> {
  let world: World;
  const tools = toolsOf(() => world);
  const price = (costPerReply * 1_000_000) / tokensPerReply;
  const options: RuntimeOptions = {
    model: modelOf(() => world),
    host: watched(memory(), () => world),
    prices: { walk: { input: price, output: price } },
    approve: (request) => world.approve(request),
  };
  const runtime = createRuntime(options);
  const impatient: { [ms: number]: Runtime } = {};
  const unhandled: unknown[] = [];
  process.on("unhandledRejection", (reason) => unhandled.push(reason));
  // Aborts make many errors that nobody reads: their stacks would be a good part of the time.
  Error.stackTraceLimit = 0;

  return (setup, chooser) => atOnce(() => played(setup, chooser));

  function runOf({ approvalMs, wanted }: Setup, given: ExecOptions): Run {
    const timed = approvalMs === undefined ? options : { ...options, approvalTimeoutMs: approvalMs };
    if (wanted !== undefined) return runWanted(timed, given, wanted, (...call) => world.run(...call));
    if (approvalMs === undefined) return runtime.run("go", given);
    impatient[approvalMs] ??= createRuntime(timed);
    return impatient[approvalMs].run("go", given);
  }

  async function played(setup: Setup, chooser: Chooser): Promise<Trace> {
    const shared = new Shared(chooser, setup.arrivals);
    world = new World(setup, shared);
    unhandled.length = 0;
    const insides: Played[] = [];
    const given = { ...setup.options, tools, ...callbacksOf(setup, world) };
    const { inner } = setup;
    if (inner !== undefined) {
      const outer = world;
      outer.nest = () => {
        const { made, run } = begin(inner, shared, (own) =>
          runtime.run("inside", { ...inner.options, tools: toolsOf(() => own), model: modelOf(() => own) }),
        );
        outer.inside.push(made.world);
        insides.push(made);
        return run.result.then(() => undefined);
      };
    }
    world.begin(Date.now(), setup.options.timeoutMs ?? 0);
    const root = follow(world, runOf(setup, given));
    world.point("start");
    await playOut(world, () => root.result !== undefined);
    world.point("settled");
    while (shared.gates.length > 0) shared.gates.pop()?.();
    if (root.result !== undefined) await nextTurn();
    return { ...traceOf(root), unhandled: [...unhandled], inside: insides.map(traceOf) };
  }
}

/**
 * Does this while the clock stands: so the deadline is known to the millisecond, and no run lets the event loop turn
 * because the machine has been busy, which would be another trace.
 */
async function atOnce<T>(work: () => Promise<T>): Promise<T> {
  const { now } = Date;
  const stands = now();
  Date.now = () => stands;
  try {
    return await work();
  } finally {
    Date.now = now;
  }
}

function callbacksOf({ callbacks = [] }: Setup, world: World): ExecOptions {
  const ask = (which: Callback) => () => world.callback(which);
  return {
    ...(callbacks.includes("steering") && { getSteeringMessages: ask("steering") }),
    ...(callbacks.includes("followUps") && { getFollowUpMessages: ask("followUps") }),
  };
}

/** A run that is going on, and what has been seen of it. */
type Played = { readonly world: World; readonly id: string; heard: AgentEvent[]; ended: boolean; result?: RunResult };

function begin(setup: Inner, shared: Shared, run: (world: World) => Run): { made: Played; run: Run } {
  const world = new World(setup, shared);
  const begun = run(world);
  return { made: follow(world, begun), run: begun };
}

/** Ties a run to its world and reads its events. */
function follow(world: World, run: Run): Played {
  world.send = (text, when) => run.send(text, { when });
  world.abort = (reason) => run.abort(reason);
  world.recall = (reason) => run.post({ kind: "control", control: { type: "timeout", reason } });
  const played: Played = { world, id: run.id, heard: [], ended: false };
  run.result.then((value) => {
    world.write({ type: "settled" });
    played.result = value;
  });
  (async () => {
    for await (const event of run) played.heard.push(event);
    played.ended = true;
  })();
  return played;
}

function traceOf({ world, id, heard, ended, result }: Played): Trace {
  const { setup, log, receipts, givenUp } = world;
  return {
    setup,
    deadline: world.deadlineAt,
    log,
    heard,
    events: world.inside.length === 0 ? heard : heard.filter(({ runId }) => runId === id),
    eventsEnded: ended,
    result,
    receipts: receipts.map(({ text, receipt: { status, round } }) => ({
      text,
      status,
      ...(round !== undefined && { round }),
    })),
    unhandled: [],
    inside: [],
    ...(givenUp !== undefined && { givenUp }),
  };
}

/** Waits for the end of the run; whenever all is quiet, lets the last of what is waiting go on. */
async function playOut(world: World, over: () => boolean): Promise<void> {
  const { shared } = world;
  let happened = -1;
  for (let quiet = 0; !over(); ) {
    await nextTurn();
    if (over()) break;
    if (shared.happened !== happened) {
      happened = shared.happened;
      quiet = 0;
    } else if (shared.gates.length > 0) {
      world.still();
      await nextTurn();
      if (!over()) shared.gates.pop()?.();
    } else if (++quiet > 20) {
      world.givenUp ??= "nothing moves any more";
      return;
    }
  }
}
