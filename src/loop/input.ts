import type { ApprovalAnswer, OpenRun } from "../host/host.ts";
import type { CallPolicy } from "../menu/approval/policy.ts";
import type { Ambient } from "../menu/call.ts";
import type { MenuTool } from "../menu/entry.ts";
import type { Menu } from "../menu/menu.ts";
import type { Callables, Prepared } from "../menu/prepare.ts";
import type { ResultCache } from "../menu/result-cache.ts";
import type { AssistantMessage, Message, ToolCall, UserMessage } from "../message/message.ts";
import type { Usage } from "../message/usage.ts";
import type { Model, ModelRequest, RetryInfo } from "../model/model.ts";
import type { Emitter } from "./emitter.ts";
import type { Ledger } from "./limits.ts";
import type { RunView } from "./reader.ts";
import type { Judged, LoopConfig } from "./state.ts";

/** Answers for one call; what it throws denies. The signal fires when nobody waits for the answer any more. */
export type AskApproval = (
  call: ToolCall,
  tool: MenuTool | undefined,
  value: unknown,
  signal: AbortSignal,
  /** Where in the run the call stands. */
  at: string,
) => Omit<ApprovalAnswer, "callId"> | Promise<Omit<ApprovalAnswer, "callId">>;

/** What a callback gave: its messages, and what is wrong with those that are none. */
export type Given = { readonly messages: readonly UserMessage[]; readonly problems: readonly string[] };

/** What a run is to the runs inside it. */
export type RunAmbient = Ambient & {
  /** Who has to agree to its calls. */
  readonly policy: CallPolicy;
  /** Runs code that is asked about the call at this place in the run, or about a reply: what it begins is inside of the run. */
  check<T>(at: string, callId: string, body: () => T): T;
  /** Resolves when the runs inside that have been told to end have ended; undefined if there are none. Never rejects. */
  ending(): Promise<unknown> | undefined;
  /** What goes on inside of it, at any depth, outer before inner. */
  inside(): readonly RunView[];
  /** Usage of nested runs that have ended since the last call of this. */
  takeUsage(): Usage;
  /** Counts what this run has used to the run around it. */
  reportUsage(usage: Usage): void;
};

/** What a reply was found to be, and what only this process needs to run the function that it picked. */
export type Judgement = { readonly judged: Judged; readonly prepared?: Prepared };

/** Everything that one run of the loop is given. The loop reads nothing else of the world. */
export type LoopInput = {
  readonly runId: string;
  /** Id of the root run: what keys of steps begin with, so that they are unique over all runs. */
  readonly rootId: string;
  readonly path: string;
  readonly open: OpenRun;
  readonly model: Model;
  readonly menu: Menu;
  /** Earlier history, checked. The loop appends to it: it is what the model is handed. */
  readonly history: Message[];
  readonly prompt: UserMessage;
  readonly config: LoopConfig;
  /** What every request carries beside messages, tools and choice. */
  readonly request: Omit<ModelRequest, "messages" | "tools" | "toolChoice">;
  readonly ledger: Ledger | undefined;
  /** The price of a reply; absent where there are no prices. */
  readonly costOf: ((usage: Usage, modelId: string) => number | undefined) | undefined;
  /** Says whether a reply is what was wanted. */
  readonly judge: ((message: AssistantMessage) => Judgement | Promise<Judgement>) | undefined;
  /** The functions that may be picked as the decision. */
  readonly options: Callables | undefined;
  readonly approve: AskApproval | undefined;
  readonly approvalTimeoutMs: number | undefined;
  /** Messages of the caller's callbacks. One that throws gives a warning and counts as empty. */
  readonly steering: (() => Promise<Given>) | undefined;
  readonly followUps: (() => Promise<Given>) | undefined;
  readonly onRetry: ((info: RetryInfo) => void) | undefined;
  readonly emitter: Emitter;
  readonly ambient: RunAmbient;
  /** The cap of results whose tools name none. */
  readonly maxResultChars: number;
  /** Whether results lose the secrets of this process. */
  readonly redact: boolean;
  /** Remembers results of tools that want it. */
  readonly cache: ResultCache | undefined;
  /** Warnings from before the run: told right behind its start. */
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
};
