import type { Approval, ApprovalRequest } from "../../src/agent/options.ts";
import type { Msg, Receipt } from "../../src/host/host.ts";
import { textOf } from "../../src/message/message.ts";
import type { ModelEvent, ModelRequest } from "../../src/model/model.ts";
import { play } from "../../src/testing/play.ts";
import type { ReplyObject } from "../../src/testing/script.ts";
import { cheapError, fail, gone } from "./failures.ts";
import {
  type Arrival,
  approvalLetters,
  type Callback,
  callbackLetters,
  editedTo,
  endReason,
  letters,
  type PickName,
  refusal,
  type ToolName,
} from "./letters.ts";
import type { Entry, Op } from "./log.ts";
import { type Place, placeOf } from "./places.ts";
import { type Inner, type Setup, tokensPerReply } from "./setup.ts";
import type { Shared } from "./shared.ts";

/** A trace with more entries than this does not end, or not soon enough. */
const longestLog = 2_000;
/** Milliseconds from one record to the next. */
const tick = 1_000;
/** What ends a run. */
const enders: readonly Arrival[] = ["abort", "recall", "deadline", "alarm", "late abort"];
const usage = { inputTokens: tokensPerReply, outputTokens: 0, totalTokens: tokensPerReply };

/** The outside world of one run: what the loop asks it, and what comes of its own accord. */
export class World {
  readonly log: Entry[] = [];
  readonly receipts: { readonly text: string; readonly receipt: Receipt }[] = [];
  readonly setup: Setup | Inner;
  readonly shared: Shared;
  /** The worlds of the runs inside. */
  readonly inside: World[] = [];
  send: (text: string, when: "now" | "after_round" | "at_end") => Receipt = () => unready();
  abort: (reason: string) => void = () => unready();
  /** As `abort`, because the time of what is around is up. */
  recall: (reason: string) => void = () => unready();
  interrupt: (reason: unknown) => void = () => unready();
  /** Runs a loop inside of a tool. */
  nest: () => Promise<void> = () => unready();
  /** The date of what is recorded behind the deadline: the first millisecond that is too late. */
  deadlineAt = 0;
  givenUp: string | undefined;
  /** The date of the last record: the clock of the walk, which goes on with each. */
  #at = 0;
  #ended: "abort" | "deadline" | "fault" | undefined;
  #calls = 0;
  #requests = 0;
  #callbacks = 0;
  /** Names of the calls of the last reply. */
  #batch: readonly string[] = [];

  constructor(setup: Setup | Inner, shared: Shared) {
    this.setup = setup;
    this.shared = shared;
  }

  /** The run begins now, and has so long. */
  begin(at: number, timeoutMs: number): void {
    this.#at = at;
    this.deadlineAt = at + timeoutMs;
  }

  write(entry: Entry): void {
    this.log.push(entry);
    this.shared.happened++;
  }

  /** Something may arrive here. */
  point(place: Place, no: string | number = "", must = false): Arrival | undefined {
    if (this.shared.left === 0) return undefined;
    const kinds = this.setup.kinds.filter((kind) => this.#mayArrive(kind, place));
    if (kinds.length === 0) return undefined;
    const question = `${place} ${no}`;
    const answers = must ? kinds : (["nothing", ...kinds] as const);
    const arrival = this.shared.chooser.pick<Arrival | "nothing">(question, answers);
    if (arrival === "nothing") return undefined;
    this.shared.left--;
    this.#arrive(arrival, question);
    return arrival;
  }

  #arrive(arrival: Arrival, place: string): void {
    if (arrival === "abort" || arrival === "recall") {
      this.#ended = "abort";
      this.#writeAbort(place, arrival === "abort" ? "aborted" : "timeout");
      if (arrival === "abort") this.abort(endReason);
      else this.recall(endReason);
      return;
    }
    if (arrival === "patience") {
      this.write({ type: arrival, place });
      return;
    }
    if (arrival === "deadline" || arrival === "alarm" || arrival === "late abort") {
      this.#ended = "deadline";
      this.write({ type: "deadline", place, signal: arrival === "alarm" });
      if (arrival === "alarm") this.interrupt(new DOMException("The time is up.", "TimeoutError"));
      if (arrival === "late abort") {
        this.#writeAbort(place, "aborted");
        this.abort(endReason);
      }
      return;
    }
    if (arrival === "fault" || arrival === "sudden fault") {
      this.#ended = "fault";
      this.write({ type: "fault", place });
      return;
    }
    const text = `m${this.receipts.length + 1}`;
    const at = this.log.length;
    const receipt = this.send(text, arrival);
    this.receipts.push({ text, receipt });
    this.log.splice(at, 0, { type: "send", text, when: arrival, place, status: receipt.status });
    this.shared.happened++;
  }

  /** The end of a run is the end of those inside. */
  #writeAbort(place: string, as: "aborted" | "timeout"): void {
    this.write({ type: "abort", place, as });
    for (const inner of this.inside) inner.#writeAbort(place, as);
  }

  #mayArrive(kind: Arrival, place: Place): boolean {
    if (this.#ended === "fault") return false;
    if (kind === "patience") return place === "before wait";
    if (kind === "fault" || kind === "sudden fault") return place.startsWith("be");
    if (kind === "late abort" && place !== "tool" && place !== "still") return false;
    if (enders.includes(kind)) return this.#ended === undefined && place !== "settled";
    if (place === "settled") return kind === "now";
    return this.setup.points === "all" || ["before look", "before wait", "still"].includes(place);
  }

  /** Performs one call of the host, with its two points; late, or as soon as the host inside does. */
  perform<T extends object>(
    op: Op,
    key: string,
    more: object,
    call: (early?: boolean) => T | Promise<T>,
  ): T | Promise<T> {
    const no = ++this.#calls;
    if (this.log.length > longestLog) {
      this.givenUp ??= `more than ${longestLog} entries in the log`;
      return new Promise(() => {});
    }
    this.write({ type: "enter", op, no, key, ...more } as Entry);
    if (this.#ended === "fault") return Promise.reject(gone());
    const arrival = this.point(placeOf[op] ?? "before look", no);
    if (arrival?.endsWith("fault")) return fail(arrival);
    const early = arrival === "patience";
    const value = call(early);
    if (value instanceof Promise) return value.then((done) => this.#performed(op, no, done, early));
    return "lateHost" in this.setup && this.setup.lateHost
      ? Promise.resolve().then(() => this.#performed(op, no, value, early))
      : this.#performed(op, no, value, early);
  }

  #performed<T extends object>(op: Op, no: number, value: T, early: boolean): T | Promise<T> {
    const record = value as { at?: number; messages?: readonly Msg[]; closed?: true };
    const late = this.#ended === "deadline" && record.at !== undefined;
    const at = record.at === undefined ? undefined : this.#date(late, early ? record.at : 0);
    this.write({
      type: "done",
      op,
      no,
      taken: (record.messages ?? []).flatMap((message) =>
        "message" in message ? [{ text: textOf(message.message), kind: message.kind }] : [],
      ),
      control: record.messages?.some((message) => message.kind === "control") ?? false,
      answers: record.messages?.flatMap((one) => (one.kind === "approval" ? [one.approval.callId] : [])) ?? [],
      closed: op === "close" || record.closed === true,
      late,
      ...(at !== undefined && { at }),
    });
    const arrival = this.point("behind", no);
    if (arrival?.endsWith("fault")) return fail(arrival);
    return at === undefined ? value : { ...value, at };
  }

  /** The date of the next record: the deadline if it is late, else one behind all before it, and not before `least`. */
  #date(late: boolean, least: number): number {
    if (late) return this.deadlineAt;
    this.#at = Math.max(this.#at + tick, least);
    return this.#at;
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const index = this.#requests++;
    const known = index < this.setup.rounds;
    const letter = known ? this.shared.chooser.pick(`reply ${index}`, this.setup.letters) : "text";
    const copy = { ...request, messages: [...request.messages], tools: [...request.tools] };
    this.write({ type: "request", request: copy, letter });
    const reply: ReplyObject = letters[letter];
    this.#batch = reply.calls?.map(({ name }) => name) ?? [];
    const breaks = reply.cut !== undefined || reply.throwAfter !== undefined || reply.hang !== undefined;
    return this.#reply(index, breaks ? reply : { ...reply, usage }, signal);
  }

  async *#reply(index: number, reply: ReplyObject, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    let delta = 0;
    for await (const event of play(reply, index, "walk", signal)) {
      if (delta === 0 || this.setup.points !== "few") this.point("delta", index + delta / 100);
      delta++;
      // A call that streams may be begun early, inside the step of its reply; test/loop/early-start.test.ts is about that.
      if (this.setup.options.toolExecution !== "overlap" || !event.type.startsWith("call_")) yield event;
    }
  }

  run(name: ToolName | PickName, callId: string, n?: unknown): unknown {
    const value = saidBy(this.setup, name, callId);
    const dull = this.setup.points !== "all" && this.shared.left === 0 && !this.#hasNeighbour(name, callId);
    const letter = this.shared.chooser.pick(
      `tool ${callId}`,
      this.setup.tools.filter((candidate) => candidate !== "slow" || !dull),
    );
    this.write({ type: "tool_start", callId, letter, n });
    if (letter === "slow" || letter === "nests") {
      return (letter === "slow" ? this.gate() : this.nest()).then(() => {
        this.write({ type: "tool_end", callId });
        return `${letter === "slow" ? "late" : "nested"} ${value}`;
      });
    }
    this.point("tool", callId);
    this.write({ type: "tool_end", callId });
    if (letter === "throws") throw cheapError(`bad ${value}`);
    return `good ${value}`;
  }

  /** Another call may run together with this one, and begin behind it. */
  #hasNeighbour(name: string, callId: string): boolean {
    if (this.setup.options.toolExecution !== "overlap" || name !== "look") return false;
    return this.#batch[Number(callId.split("_").at(-1))] === "look";
  }

  async approve({ call, signal }: ApprovalRequest): Promise<Approval> {
    const { approvals = approvalLetters.slice(0, 4) } = this.setup as Setup;
    const letter = this.shared.chooser.pick(`approval ${call.id}`, approvals);
    this.write({ type: "approve", callId: call.id, letter });
    if (letter === "late") await this.gate();
    else this.point("approval", call.id);
    this.write({ type: "approve_end", callId: call.id, signalled: signal.aborted });
    if (letter === "throws") throw new Error("nobody there");
    if (letter === "edits") return { approved: true, arguments: { n: editedTo } };
    if (letter === "spoils") return { approved: true, arguments: { n: "much" } };
    if (letter === "no") return { approved: false, reason: refusal };
    return letter !== "wordless";
  }

  /** A callback of the caller is asked. It is only late where something can happen meanwhile. */
  callback(which: Callback): readonly string[] | Promise<readonly string[]> {
    const { shared } = this;
    const text = `c${++this.#callbacks}`;
    const open = callbackLetters.filter((one) => one !== "late" || shared.left > 1 || this.setup.points === "all");
    const letter = shared.left === 0 ? "nothing" : shared.chooser.pick(`${which} ${text}`, open);
    this.write({ type: "callback", which, letter, text });
    if (letter === "nothing") return [];
    shared.left--;
    const end = () => {
      this.write({ type: "callback_end", text });
      return [text];
    };
    if (letter === "late") return this.gate().then(end);
    this.point("callback", text);
    if (letter === "message") return end();
    if (which === "steering") throw cheapError("no messages today");
    return Promise.reject(cheapError("no messages today"));
  }

  gate(): Promise<void> {
    return new Promise((open) => this.shared.gates.push(open));
  }

  /** Everything stands still: something arrives, or what was started last goes on. */
  still(): void {
    const sequential = this.setup.options.toolExecution !== "overlap";
    this.point("still", "", this.setup.points !== "all" && sequential && this.setup.kinds.includes("abort"));
  }
}

/** What the tool's result speaks of: the call, unless equal results are what is looked for. */
export function saidBy(setup: Setup | Inner, name: string, callId: string): string {
  return typeof setup.options.stuck === "object" ? name : `${name} ${callId}`;
}

function unready(): never {
  throw new Error("The run has not begun.");
}
