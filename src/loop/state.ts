import type { Msg, MsgKind } from "../host/host.ts";
import type { Verdict } from "../menu/verdict.ts";
import type { AssistantMessage, StopReason, ToolCall, ToolResultMessage, UserMessage } from "../message/message.ts";
import type { RequestToolChoice } from "../model/model.ts";
import type { LimitOutcome, Outcome } from "./outcome.ts";

/** What the caller asked for: constant for the whole run. */
export type LoopConfig = {
  /** `Infinity`: no cap. */
  readonly maxRounds: number;
  readonly atLimit: "close" | "stop";
  readonly toolChoice: RequestToolChoice;
  readonly toolChoiceScope: "once" | "round";
  /** Only the first call of a reply is run. */
  readonly firstCallOnly: boolean;
  /** How many neighbouring calls may run together; 1: none. */
  readonly overlap: number;
  readonly guard: boolean;
  /** Equal calls in a row that end the run; `Infinity`: never. */
  readonly endAfter: number;
  /** What a decision or output has to look like, for the closing request; absent: none is wanted. */
  readonly wanted?: string;
  /** How often it is asked for again when it is not valid. */
  readonly reasks: number;
  readonly asksSteering: boolean;
  readonly asksFollowUps: boolean;
  /** Milliseconds since 1970. */
  readonly deadlineAt?: number;
};

/** What is left of the limits, where there are any. */
export type Budget = { readonly toolCalls?: number; readonly tokens?: number; readonly cost?: number };

export type RequestKind = "round" | "closing" | "reask";

/** Whether a reply holds the decision or output that was wanted. */
export type Judged =
  | {
      readonly valid: true;
      /** The function that was picked as the decision; it runs once the inbox is closed. */
      readonly picked?: PreparedCall;
    }
  | { readonly valid: false; readonly reason: string };

/** What `decide` needs to know of the last reply. */
export type LastReply = {
  readonly kind: RequestKind;
  readonly stop: StopReason;
  /** Its request allowed calls. */
  readonly allowed: boolean;
  /** It holds no call that its request allowed. */
  readonly textOnly: boolean;
  readonly hasText: boolean;
  readonly judged: Judged | undefined;
};

export type PreparedCall = {
  readonly call: ToolCall;
  readonly verdict: Verdict;
  /** Of a function that was picked as the decision: the name of its option, which need not be its own. */
  readonly option?: string;
};

/** Why a call was answered without being run. */
export type NotRun =
  | "skipped"
  | "cut"
  | "not_allowed"
  | "problem"
  | "denied"
  | "repeated"
  | "only_first"
  | LimitOutcome
  | Outcome;

/**
 * The run as far as decisions need it: no history, no clock, nothing of the world. Every field is always there, so that
 * all states have one shape: a round makes a dozen of them.
 */
export type State = {
  readonly config: LoopConfig;
  readonly outcome: Outcome | undefined;
  /** The inbox is closed and every call answered. */
  readonly finished: boolean;
  /** An abort or deadline is on record. */
  readonly ending: "aborted" | "timeout" | undefined;
  /** Why somebody ended it, if that was said. */
  readonly abortReason: string | undefined;
  /** The host's signal has fired and `control` has not been drained since. */
  readonly signalled: boolean;
  /** Requests that count, and all requests. */
  readonly rounds: number;
  readonly requests: number;
  readonly closing: LimitOutcome | undefined;
  readonly reply: LastReply | undefined;
  /** That reply is the last thing in history, its own results aside. */
  readonly replyIsLast: boolean;
  /** Calls of the last reply; those before `next` are answered. */
  readonly calls: readonly PreparedCall[];
  readonly next: number;
  /** What was said about approving the next call. */
  readonly approval: { readonly approved: boolean; readonly reason: string | undefined } | undefined;
  /** When the last record came that let the calls go on, in milliseconds since 1970: the time of an approval counts from it. */
  readonly since: number;
  /** What is still to be asked at the drain point that is due. */
  readonly drain: "callback" | "inbox" | undefined;
  /** How far the run has got in coming to rest. */
  readonly rest: "steering" | "inbox" | "followUps" | "take";
  readonly pending: readonly Pending[];
  /** Whether one of those is to be read now. */
  readonly pendingNow: boolean;
  readonly budget: Budget;
  readonly choiceMet: boolean;
  readonly choiceRepeated: boolean;
  readonly reasked: number;
  /** Replies in a row that were cut with calls, and that paused. */
  readonly cuts: number;
  readonly pauses: number;
  readonly guard: Guard;
  /** The function that the last reply picked as its decision, while it has not run. */
  readonly picked: PreparedCall | undefined;
  /** The inbox takes no messages any more. */
  readonly closed: boolean;
  /** Messages that no request has read, once the run is over. */
  readonly undelivered: readonly UserMessage[];
};

/** A message that was taken and is not in history yet; those of callbacks have no id. */
export type Pending = { readonly id?: string; readonly message: UserMessage };

/** What the stuck guard remembers; see guard.ts. */
export type Guard = {
  /** Failures since a call that may have changed something, the newest last; absent: none. */
  readonly failures: readonly Failure[] | undefined;
  /** The last two calls, how many in a row were equal, and how many alternated between two. */
  readonly last: Ran | undefined;
  readonly before: Ran | undefined;
  readonly equal: number;
  readonly alternating: number;
};

/** How often equal calls have failed. */
export type Failure = { readonly key: string; readonly times: number };

/** A call and what came of it; `result` is absent where it was answered without being run. */
export type Ran = {
  readonly call: ToolCall;
  readonly result: ToolResultMessage | undefined;
  /** The same for equal arguments, and nearly always another for others. */
  readonly weight: number;
};

/** What the loop does next. Those that need the host come back as a {@link LoopRecord}. */
export type Step =
  | { readonly do: "finish" }
  | { readonly do: "end"; readonly outcome: Outcome }
  | { readonly do: "drain"; readonly kinds: readonly MsgKind[] }
  | { readonly do: "steering" }
  | { readonly do: "followUps" }
  | { readonly do: "answer"; readonly to: number; readonly why: NotRun }
  | { readonly do: "approve" }
  | { readonly do: "run"; readonly to: number }
  | { readonly do: "enter" }
  | { readonly do: "notice" }
  | { readonly do: "take" }
  | { readonly do: "close" }
  | { readonly do: "decide" }
  | {
      readonly do: "ask";
      readonly kind: RequestKind;
      readonly choice: RequestToolChoice;
      readonly notice?: string;
      readonly limit?: LimitOutcome;
    }
  | { readonly do: "rest" };

/** A step that asks the model. */
export type Ask = Extract<Step, { do: "ask" }>;

/** What came of a step: everything that a resumed run reads back. `at` is in milliseconds since 1970. */
export type LoopRecord = { readonly at: number } & (
  | {
      readonly type: "reply";
      readonly message: AssistantMessage;
      readonly verdicts: readonly Verdict[];
      readonly judged: Judged | undefined;
      readonly budget: Budget | undefined;
    }
  | { readonly type: "result"; readonly message: ToolResultMessage; readonly budget: Budget | undefined }
  | { readonly type: "drained"; readonly messages: readonly Msg[] }
  | { readonly type: "steered"; readonly messages: readonly UserMessage[] }
  | { readonly type: "followed"; readonly messages: readonly UserMessage[] }
  | {
      readonly type: "approval";
      readonly messages: readonly Msg[];
      readonly waitedOut: boolean;
      /** A person had agreed to an equal call before. */
      readonly granted?: boolean;
      readonly edited: PreparedCall | undefined;
    }
  | { readonly type: "taken"; readonly messages: readonly Msg[] }
  | { readonly type: "closed"; readonly messages: readonly Msg[] }
  | {
      readonly type: "decided";
      readonly how: Decided;
      /** How somebody ended the run meanwhile, and why if that was said. */
      readonly ending?: "aborted" | "timeout";
      readonly reason?: string | undefined;
    }
);

/** How a picked function has ended; interrupted: the run was ended meanwhile. */
export type Decided = "returned" | "threw" | "interrupted";

/** The call that an approval is about: the picked function if there is one, for then the calls of its reply never run. */
export const inQuestion = (s: State): PreparedCall => s.picked ?? s.calls[s.next]!;
