import { type CallOutcome, runCall } from "../menu/call.ts";
import type { MenuTool } from "../menu/entry.ts";
import { isPager } from "../menu/pager.ts";
import { type Prepared, prepareCall } from "../menu/prepare.ts";
import type { ToolCall } from "../message/message.ts";
import { grow, isBare, type ObjectText, objectText } from "../message/whole-object.ts";
import type { ModelEvent } from "../model/model.ts";
import { EarlyCall } from "./early-call.ts";
import { isStuck } from "./guard.ts";
import type { LoopRun } from "./run.ts";
import { isMarked } from "./word.ts";

/** A call while its arguments stream. */
type Coming = { readonly index: number; readonly name: string; readonly tool: MenuTool; readonly args: ObjectText };

/**
 * Calls of one reply that are begun while it still streams: speculation, inside the model's own step. Only calls of tools
 * that change nothing and need no approval, and only in front of the first call that is none of these, so that nothing
 * is read before what stands before it was done. What came of one is handed to the call's own step; until then nothing
 * of it is told, and if the reply is cut, lost, sent again or turns out otherwise it is given up.
 */
export class EarlyStarts {
  readonly #run: LoopRun;
  readonly #most: number;
  readonly #coming = new Map<string, Coming>();
  readonly #begun = new Map<string, EarlyCall>();
  #calls = 0;
  #running = 0;
  #blocked = false;

  constructor(run: LoopRun) {
    this.#run = run;
    const { config, budget } = run.state;
    this.#most = Math.min(config.firstCallOnly ? 1 : config.overlap, budget.toolCalls ?? Infinity);
  }

  /** Hears what streams. */
  take(event: ModelEvent): void {
    if (event.type === "call_start") this.#comes(event.id, event.name);
    else if (event.type === "call_delta") {
      const coming = this.#coming.get(event.id);
      if (!coming) return;
      grow(coming.args, event.delta);
      // Some providers say only at the end of the reply that a call has ended.
      // An empty object may be what stands there until the arguments come.
      if (coming.args.whole && !isBare(coming.args)) this.#came(event.id);
    } else if (event.type === "call_end") {
      // Some providers end what a cut left open: what is no whole object by then may be half of one.
      if (this.#coming.get(event.id)?.args.whole) this.#came(event.id);
    } else if (event.type === "retry") this.#again();
  }

  /** What is known of a call of the reply that was begun; one that the reply has otherwise is given up. */
  preparedOf(call: ToolCall, index: number): Prepared | undefined {
    const early = this.#begun.get(call.id);
    if (!early) return undefined;
    if (early.index === index && isSame(early.call, call)) return early.prepared;
    this.drop(call.id);
    return undefined;
  }

  /** What comes of a call that was begun, for its own step; from here on it is told. */
  adopt(id: string): CallOutcome | Promise<CallOutcome> | undefined {
    const early = this.#begun.get(id);
    this.#begun.delete(id);
    return early?.adopt();
  }

  /** The call is not run. */
  drop(id: string): void {
    this.#begun.get(id)?.drop();
    this.#begun.delete(id);
  }

  /** None of these calls counts but those at which the reply holds them. */
  keepOnly(calls: readonly ToolCall[]): void {
    if (this.#begun.size === 0) return;
    const kept = new Set(calls.map(({ id }) => id));
    for (const id of this.#begun.keys()) if (!kept.has(id)) this.drop(id);
  }

  #comes(id: string, name: string): void {
    const index = this.#calls++;
    if (this.#blocked) return;
    const tool = this.#run.input.menu.find(name);
    // Whether an id is taken decides what the call will be called.
    if (!tool || !this.#mayRun(tool) || id === "" || this.#run.callIds.has(id) || this.#isKnown(id))
      this.#blocked = true;
    else this.#coming.set(id, { index, name, tool, args: objectText() });
  }

  #isKnown(id: string): boolean {
    return this.#coming.has(id) || this.#begun.has(id);
  }

  /** The word of the markers around what is untrusted is a recorded step, so it has to be there already. */
  #mayRun({ readOnly, requiresApproval, untrusted, source }: MenuTool): boolean {
    const needsWord = untrusted || isPager(source);
    return readOnly && requiresApproval === false && (!needsWord || typeof this.#run.word === "string");
  }

  #came(id: string): void {
    const coming = this.#coming.get(id);
    if (!coming || coming.index >= this.#most || this.#running >= this.#most) return;
    this.#coming.delete(id);
    const call: ToolCall = { type: "tool_call", id, name: coming.name, arguments: coming.args.text };
    if (!call.arguments.isWellFormed() || isStuck(this.#run.state.guard, call)) return;
    const { menu, config, ambient } = this.#run.input;
    const at = `${this.#run.state.requests}/${coming.index}`;
    const prepared = prepareCall(call, {
      menu,
      choice: config.toolChoice,
      canApprove: false,
      policy: ambient.policy,
      within: (one, body) => ambient.check(at, one.id, body),
    });
    // Waiting for a check would take the time that is to be won, and the reply may be over by then.
    if (prepared instanceof Promise) prepared.catch(() => undefined);
    else if (prepared.verdict.problem === undefined) this.#begin(call, prepared, coming);
    else this.#blocked = true;
  }

  #begin(call: ToolCall, prepared: Prepared, { tool, index }: Coming): void {
    const { path } = this.#run.input;
    const at = `${this.#run.state.requests}/${index}`;
    const early = new EarlyCall(this.#run, call, index, prepared);
    this.#begun.set(call.id, early);
    this.#running += 1;
    const word = isMarked(this.#run, tool, prepared.value) ? (this.#run.word as string) : undefined;
    const place = {
      path: path === "" ? at : `${path}/${at}`,
      attempt: 1,
      idempotencyKey: `${this.#run.key}/${at}`,
      word,
    };
    const over = early.begin(() => runCall(tool, prepared.value, call, place, early));
    if (over) over.then(this.#ended);
    else this.#running -= 1;
  }

  readonly #ended = (): void => {
    this.#running -= 1;
  };

  /** The request is sent again: nothing of this reply counts. */
  #again(): void {
    for (const id of this.#begun.keys()) this.drop(id);
    this.#coming.clear();
    this.#calls = 0;
    this.#blocked = false;
  }
}

const isSame = (early: ToolCall, call: ToolCall): boolean =>
  early.name === call.name && early.arguments.trim() === call.arguments.trim() && !call.partial;
