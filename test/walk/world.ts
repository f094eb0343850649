import type { Approval, ApprovalRequest, RuntimeOptions } from "../../src/agent/options.ts";
import { createRuntime, memory, tool } from "../../src/core.ts";
import type { Msg, Receipt } from "../../src/host/host.ts";
import type { AgentEvent } from "../../src/loop/events.ts";
import type { RunResult } from "../../src/loop/outcome.ts";
import { textOf } from "../../src/message/message.ts";
import type { Model, ModelEvent, ModelRequest } from "../../src/model/model.ts";
import { play } from "../../src/testing/play.ts";
import type { ReplyObject } from "../../src/testing/script.ts";
import type { Chooser } from "./chooser.ts";
import { type Arrival, approvalLetters, letters, type ToolName } from "./letters.ts";
import type { Entry, Op, Trace } from "./log.ts";
import { costPerReply, type Setup, tokensPerReply } from "./setup.ts";
import { runWanted } from "./wanted.ts";
import { watched } from "./watched.ts";

/** A trace with more entries than this does not end, or not soon enough. */
const longestLog = 600;
const deadlineMs = 100_000_000;
const usage = { inputTokens: tokensPerReply, outputTokens: 0, totalTokens: tokensPerReply };

/** Where something may arrive: around a call of the host, and inside of what the loop has set going. */
type Place = "start" | "before look" | "before step" | "behind" | "delta" | "tool" | "approval" | "still" | "settled";

/** The outside world of one trace: what the loop asks it, and what comes of its own accord. */
class World {
  readonly log: Entry[] = [];
  readonly receipts: { readonly text: string; readonly receipt: Receipt }[] = [];
  /** What is waiting until everything else stands still. */
  readonly gates: (() => void)[] = [];
  send: (text: string, when: "now" | "after_round" | "at_end") => Receipt = () => unready();
  abort: () => void = () => unready();
  givenUp: string | undefined;
  readonly setup: Setup;
  readonly chooser: Chooser;
  #left: number;
  #ended: "abort" | "deadline" | undefined;
  #calls = 0;
  #requests = 0;

  constructor(setup: Setup, chooser: Chooser) {
    this.setup = setup;
    this.chooser = chooser;
    this.#left = setup.arrivals;
  }

  /** Something may arrive here. */
  point(place: Place, no: string | number = "", must = false): void {
    if (this.#left === 0) return;
    const kinds = this.setup.kinds.filter((kind) => this.#mayArrive(kind, place));
    if (kinds.length === 0) return;
    const question = `${place} ${no}`;
    const arrival = this.chooser.pick<Arrival | "nothing">(question, must ? kinds : ["nothing", ...kinds]);
    if (arrival === "nothing") return;
    this.#left--;
    if (arrival === "abort" || arrival === "deadline") {
      this.#ended = arrival;
      this.log.push({ type: arrival, place: question });
      if (arrival === "abort") this.abort();
      return;
    }
    const text = `m${this.receipts.length + 1}`;
    const at = this.log.length;
    const receipt = this.send(text, arrival);
    this.receipts.push({ text, receipt });
    this.log.splice(at, 0, { type: "send", text, when: arrival, place: question, status: receipt.status });
  }

  #mayArrive(kind: Arrival, place: Place): boolean {
    if (kind === "abort" || kind === "deadline") return this.#ended === undefined && place !== "settled";
    if (place === "settled") return kind === "now";
    return this.setup.points === "all" || place === "before look" || place === "still";
  }

  /** Performs one call of the host, with its two points; late, or as soon as the host inside does. */
  perform<T extends object>(op: Op, key: string, more: object, call: () => T | Promise<T>): T | Promise<T> {
    const no = ++this.#calls;
    if (this.log.length > longestLog) {
      this.givenUp ??= `more than ${longestLog} entries in the log`;
      return new Promise(() => {});
    }
    this.log.push({ type: "enter", op, no, key, ...more });
    this.point(op === "step" || op === "settle" ? "before step" : "before look", no);
    const value = call();
    if (value instanceof Promise) return value.then((done) => this.#performed(op, no, done));
    return this.setup.lateHost
      ? Promise.resolve().then(() => this.#performed(op, no, value))
      : this.#performed(op, no, value);
  }

  #performed<T extends object>(op: Op, no: number, value: T): T {
    const record = value as { at?: number; messages?: readonly Msg[]; closed?: true };
    const late = this.#ended === "deadline" && record.at !== undefined;
    this.log.push({
      type: "done",
      op,
      no,
      taken: (record.messages ?? []).flatMap((message) =>
        "message" in message ? [{ text: textOf(message.message), kind: message.kind }] : [],
      ),
      control: record.messages?.some((message) => message.kind === "control") ?? false,
      closed: op === "close" || record.closed === true,
      late,
    });
    this.point("behind", no);
    return late ? { ...value, at: (record.at ?? 0) + 10 * deadlineMs } : value;
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const index = this.#requests++;
    const known = index < this.setup.rounds;
    const letter = known ? this.chooser.pick(`reply ${index}`, this.setup.letters) : "text";
    const copy = { ...request, messages: [...request.messages], tools: [...request.tools] };
    this.log.push({ type: "request", request: copy, letter });
    const reply: ReplyObject = letters[letter];
    const breaks = reply.cut !== undefined || reply.throwAfter !== undefined || reply.hang !== undefined;
    return this.#reply(index, breaks ? reply : { ...reply, usage }, signal);
  }

  async *#reply(index: number, reply: ReplyObject, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    let delta = 0;
    for await (const event of play(reply, index, "walk", signal)) {
      if (delta === 0 || this.setup.points !== "few") this.point("delta", index + delta / 100);
      delta++;
      yield event;
    }
  }

  run(name: ToolName, callId: string): unknown {
    const value = saidBy(this.setup, name, callId);
    const sequential = this.setup.options.toolExecution !== "overlap";
    const dull = this.setup.points !== "all" && sequential && this.#left === 0;
    const letter = this.chooser.pick(
      `tool ${callId}`,
      this.setup.tools.filter((candidate) => candidate !== "slow" || !dull),
    );
    this.log.push({ type: "tool_start", callId, letter });
    if (letter === "slow") {
      return this.gate().then(() => {
        this.log.push({ type: "tool_end", callId });
        return `late ${value}`;
      });
    }
    this.point("tool", callId);
    this.log.push({ type: "tool_end", callId });
    if (letter === "throws") throw cheapError(`bad ${value}`);
    return `good ${value}`;
  }

  async approve({ call, signal }: ApprovalRequest): Promise<Approval> {
    const letter = this.chooser.pick(`approval ${call.id}`, approvalLetters);
    this.log.push({ type: "approve", callId: call.id, letter });
    if (letter === "late") await this.gate();
    else this.point("approval", call.id);
    this.log.push({ type: "approve_end", callId: call.id, signalled: signal.aborted });
    if (letter === "throws") throw new Error("nobody there");
    return letter !== "no";
  }

  gate(): Promise<void> {
    return new Promise((open) => this.gates.push(open));
  }

  /** Everything stands still: something arrives, or what was started last goes on. */
  still(): void {
    const sequential = this.setup.options.toolExecution !== "overlap";
    this.point("still", "", this.setup.points !== "all" && sequential && this.setup.kinds.includes("abort"));
  }
}

/** An error without the stack that would be most of its cost. */
function cheapError(message: string): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return new Error(message);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** What the tool's result speaks of: the call, unless equal results are what is looked for. */
export function saidBy(setup: Setup, name: string, callId: string): string {
  return typeof setup.options.stuck === "object" ? name : `${name} ${callId}`;
}

function unready(): never {
  throw new Error("The run has not begun.");
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Where traces are played, one after the other: one runtime, its host, model and tools bound to the world of the trace. */
export function createStage(): (setup: Setup, chooser: Chooser) => Promise<Trace> {
  let world: World;
  const input = { type: "object", properties: { n: { type: "number" } }, required: ["n"] } as const;
  const common = { input, timeoutMs: Number.POSITIVE_INFINITY };
  const tools = (["look", "act", "sign"] as const).map((name) =>
    tool({
      ...common,
      name,
      readOnly: name === "look",
      requiresApproval: name === "sign",
      execute: (_args, ctx) => world.run(name, ctx.callId),
    }),
  );
  const model: Model = { id: "walk", stream: (request, signal) => world.stream(request, signal) };
  const host = watched(memory(), () => world);
  const price = (costPerReply * 1_000_000) / tokensPerReply;
  const prices = { walk: { input: price, output: price } };
  const options: RuntimeOptions = { model, host, prices, approve: (request) => world.approve(request) };
  const runtime = createRuntime(options);
  const unhandled: unknown[] = [];
  process.on("unhandledRejection", (reason) => unhandled.push(reason));

  return async (setup, chooser) => {
    world = new World(setup, chooser);
    unhandled.length = 0;
    const given = { ...setup.options, tools };
    const { wanted } = setup;
    const run = wanted === undefined ? runtime.run("go", given) : runWanted(runtime, options, given, wanted);
    world.send = (text, when) => run.send(text, { when });
    world.abort = () => run.abort();

    let result: RunResult | undefined;
    run.result.then((value) => {
      world.log.push({ type: "settled" });
      result = value;
    });
    const events: AgentEvent[] = [];
    let eventsEnded = false;
    (async () => {
      for await (const event of run) events.push(event);
      eventsEnded = true;
    })();
    world.point("start");
    const settled = await playOut(world, () => result !== undefined);
    world.point("settled");
    while (world.gates.length > 0) world.gates.pop()?.();
    if (settled) await nextTurn();
    const { log, receipts, givenUp } = world;
    return {
      setup,
      log,
      events,
      eventsEnded,
      result,
      receipts: receipts.map(({ text, receipt: { status, round } }) => ({
        text,
        status,
        ...(round !== undefined && { round }),
      })),
      unhandled: [...unhandled],
      ...(givenUp !== undefined && { givenUp }),
    };
  };
}

/** Waits for the end of the run; whenever all is quiet, lets the last of what is waiting go on. */
async function playOut(world: World, over: () => boolean): Promise<boolean> {
  let length = -1;
  for (let quiet = 0; !over(); ) {
    await nextTurn();
    if (over()) break;
    if (world.log.length !== length) {
      length = world.log.length;
      quiet = 0;
    } else if (world.gates.length > 0) {
      world.still();
      await nextTurn();
      if (!over()) world.gates.pop()?.();
    } else if (++quiet > 20) {
      world.givenUp ??= "nothing moves any more";
      return false;
    }
  }
  return true;
}
