import type { Json } from "../message/json.ts";
import type { AssistantMessage, Message, ToolCall, ToolResultMessage, UserMessage } from "../message/message.ts";
import type { Usage } from "../message/usage.ts";
import type { RetryInfo } from "../model/model.ts";
import type { Outcome } from "./outcome.ts";

/** Which request a message or round belongs to: a numbered round, the closing request at a limit, or a re-ask. */
export type RoundLabel = number | "closing" | "reask";

/** A piece of a reply while it streams; ids are those of the call as the model streams it. */
export type MessageUpdate =
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "reasoning"; readonly delta: string }
  | { readonly type: "call_start"; readonly id: string; readonly name: string }
  | { readonly type: "call_delta"; readonly id: string; readonly delta: string }
  | { readonly type: "call_end"; readonly id: string };

type Kinds =
  | { readonly type: "agent_start" }
  | { readonly type: "round_start"; readonly round: RoundLabel }
  /** A message begins: a user message whole, a reply still empty (then `message` is absent). Tool results have no message events. */
  | {
      readonly type: "message_start";
      readonly role: "user" | "assistant";
      readonly round?: RoundLabel;
      readonly message?: UserMessage;
    }
  | { readonly type: "message_update"; readonly update: MessageUpdate }
  | { readonly type: "message_end"; readonly message: UserMessage | AssistantMessage; readonly round?: RoundLabel }
  /** `arguments`, as raw JSON: what it runs with, where a person has changed what the model asked for. */
  | { readonly type: "tool_start"; readonly call: ToolCall; readonly arguments?: string }
  | { readonly type: "tool_update"; readonly callId: string; readonly progress: Json }
  | { readonly type: "tool_end"; readonly call: ToolCall; readonly result: ToolResultMessage }
  | {
      readonly type: "round_end";
      readonly round: RoundLabel;
      readonly message: AssistantMessage;
      readonly toolResults: readonly ToolResultMessage[];
    }
  | {
      readonly type: "agent_end";
      readonly outcome: Outcome;
      readonly text: string;
      readonly messages: readonly Message[];
      readonly usage: Usage;
      readonly undelivered: readonly UserMessage[];
      readonly rounds: number;
      /** Why the run failed, if it did. */
      readonly error?: { readonly code: string; readonly message: string };
    }
  | { readonly type: "warning"; readonly code: string; readonly message: string }
  | ({ readonly type: "retry" } & RetryInfo)
  | { readonly type: "approval_request"; readonly call: ToolCall };

/**
 * What every event carries. `seq` grows over all events of a root run; those that tell a reader in short what it missed
 * all carry the number of the newest event that they stand for. `gap` marks the first of those: what a reader took for
 * open before it (a message, a tool) is told anew, from its start; a nested run that it knew and that has ended has its end.
 */
export type EventPosition = {
  readonly runId: string;
  /** `""` for the root run; for a nested one the path of the call that it runs in. */
  readonly path: string;
  readonly seq: number;
  readonly gap?: true;
};

/** What happens in a run, as its readers see it. The objects are the run's own: changing one changes its history. */
export type AgentEvent = Kinds & EventPosition;

/** The event that ends a run; always its last. */
export type AgentEndEvent = Extract<AgentEvent, { type: "agent_end" }>;

/** An event before it is numbered. */
export type EventBody = Kinds;
