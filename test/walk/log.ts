import type { MsgKind, ReceiptStatus, When } from "../../src/host/host.ts";
import type { AgentEvent } from "../../src/loop/events.ts";
import type { RunResult } from "../../src/loop/outcome.ts";
import type { ModelRequest } from "../../src/model/model.ts";
import type { ApprovalLetter, Callback, CallbackLetter, Letter, ToolLetter } from "./letters.ts";
import type { Inner, Setup } from "./setup.ts";

/** An operation of the host. */
export type Op = "step" | "drain" | "takeOrClose" | "close" | "wait" | "settle" | "sleep";

/** One thing that happened in a trace, seen from outside of the loop. Their order in the log is the order in time. */
export type Entry =
  /** The loop asks the host for something; `no` counts these calls. */
  | {
      readonly type: "enter";
      readonly op: Op;
      readonly no: number;
      readonly key: string;
      readonly kinds?: readonly MsgKind[];
      /** When the waiting would end by itself, in milliseconds since 1970. */
      readonly until?: number;
      readonly settled?: { readonly ids: readonly string[]; readonly how: string; readonly round?: number };
    }
  /** The host has done it: `taken` are the texts of the messages that it gives the loop. */
  | {
      readonly type: "done";
      readonly op: Op;
      readonly no: number;
      readonly taken: readonly { readonly text: string; readonly kind: When }[];
      readonly control: boolean;
      /** The calls that it gives a person's answer about. */
      readonly answers: readonly string[];
      readonly closed: boolean;
      /** The date of the record; no two before the deadline have the same. */
      readonly at?: number;
      /** The record is dated behind the deadline. */
      readonly late: boolean;
    }
  | { readonly type: "request"; readonly request: ModelRequest; readonly letter: Letter }
  | { readonly type: "tool_start"; readonly callId: string; readonly letter: ToolLetter; readonly n: unknown }
  | { readonly type: "tool_end"; readonly callId: string }
  | { readonly type: "approve"; readonly callId: string; readonly letter: ApprovalLetter }
  | { readonly type: "approve_end"; readonly callId: string; readonly signalled: boolean }
  | {
      readonly type: "send";
      readonly text: string;
      readonly when: When;
      readonly place: string;
      readonly status: ReceiptStatus;
    }
  /** The loop asks a callback of the caller; `text` is what it will give. */
  | { readonly type: "callback"; readonly which: Callback; readonly letter: CallbackLetter; readonly text: string }
  | { readonly type: "callback_end"; readonly text: string }
  /** `as`: because the time of what is around is up. */
  | { readonly type: "abort"; readonly place: string; readonly as: "aborted" | "timeout" }
  /** `signal`: the host has fired its signal too. */
  | { readonly type: "deadline"; readonly place: string; readonly signal: boolean }
  | { readonly type: "patience"; readonly place: string }
  /** From here on the host does nothing any more. */
  | { readonly type: "fault"; readonly place: string }
  | { readonly type: "settled" };

/** The receipt of a message when everything is over. */
export type Receipted = { readonly text: string; readonly status: ReceiptStatus; readonly round?: number };

/** Everything that was seen of one run. */
export type Trace = {
  readonly setup: Setup | Inner;
  /** Milliseconds since 1970; where there is a `timeoutMs`. */
  readonly deadline: number;
  readonly log: readonly Entry[];
  /** Its own; those of the runs inside are in `heard`. */
  readonly events: readonly AgentEvent[];
  /** What its reader was told. */
  readonly heard: readonly AgentEvent[];
  /** False when the event iterator never came to its end. */
  readonly eventsEnded: boolean;
  /** Absent when the run did not settle. */
  readonly result: RunResult | undefined;
  readonly receipts: readonly Receipted[];
  /** What nobody caught. */
  readonly unhandled: readonly unknown[];
  /** Why the trace was given up, if it was. */
  readonly givenUp?: string;
  /** The runs that were begun inside of its tools. */
  readonly inside: readonly Trace[];
};
