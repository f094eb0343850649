import type { HostFactory, When } from "../host/host.ts";
import type { Tool, ToolEntry } from "../menu/tool.ts";
import type { JsonObject } from "../message/json.ts";
import type { Message, ToolCall, UserMessage } from "../message/message.ts";
import type { Effort, Model, RetryInfo } from "../model/model.ts";
import type { Recursion } from "./frame.ts";

/** Whether the model may, must or must not pick; names force one of these tools. */
export type ToolChoice =
  | "auto"
  | "required"
  | "none"
  | { readonly type: "function"; readonly name: string }
  | readonly string[];

/** Ceilings of a run, nested runs included. Each has an outcome of its own. */
export type Limits = {
  /** Calls begun. At least 1. */
  readonly toolCalls?: number;
  /** Tokens in and out of all requests. */
  readonly totalTokens?: number;
  /** Cost by the runtime's `prices`. */
  readonly cost?: number;
};

/** Price per million tokens, in a currency of your choice; `cacheRead` and `cacheWrite` default to `input`. */
export type Price = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
};

/** A call that needs a person's word. */
export type ApprovalRequest = {
  readonly call: ToolCall;
  /** The validated arguments: a copy, changing it changes nothing; answer with `arguments` instead. */
  readonly arguments: unknown;
  readonly runId: string;
  /** Path of the run that the call is in, as in events: `""` for the root run. */
  readonly path: string;
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
};

/** The answer: yes, no with a reason for the model, or yes with other arguments (which are validated again). */
export type Approval =
  | boolean
  | { readonly approved: boolean; readonly reason?: string; readonly arguments?: JsonObject };

/** Asked for each call that needs approval. One that throws denies. */
export type Approve = (request: ApprovalRequest) => Approval | Promise<Approval>;

/** Queued messages for a run that asks for them; see `getSteeringMessages`. */
export type GetMessages = () => readonly (UserMessage | string)[] | Promise<readonly (UserMessage | string)[]>;

/** Options of `exec` and `run`. */
export type ExecOptions = {
  /** The menu: tools, objects with `spec` and `execute`, names of registered tools. Default: inherited from the run around it, else every tool of the runtime. `[]`: none. */
  readonly tools?: readonly ToolEntry[];
  /** A preset instead of `tools`: `"full"` (every tool of the runtime) or `"none"`. */
  readonly toolset?: "full" | "none";
  /** Where the request comes from; tools that are `unsafeIn` it are left out. */
  readonly toolsSource?: string;
  /** Only these names, of whatever menu; `[]` allows nothing. */
  readonly toolsAllow?: readonly string[];
  /** Never these names. */
  readonly toolsDeny?: readonly string[];
  /** Default `"auto"`. A forced choice is sent until a reply has picked what was forced. */
  readonly toolChoice?: ToolChoice;
  /** `"round"` sends a forced choice in every round. Default `"once"`. */
  readonly toolChoiceScope?: "once" | "round";
  /** `false` asks the model for one call a round; `"strict"` also runs only the first of several. */
  readonly parallelToolCalls?: boolean | "strict";
  /** Rounds, at least 1: `max(1, floor N)`; `Infinity`: no cap. Default 20. */
  readonly maxIterations?: number;
  readonly limits?: Limits;
  /** At a limit: `"close"` (default) asks once more for an answer without tools; `"stop"` ends at once. */
  readonly atLimit?: "close" | "stop";
  /** `"overlap"` runs neighbouring calls of `readOnly` tools together. Default `"sequential"`. */
  readonly toolExecution?: "sequential" | "overlap";
  /** `false`: equal failing calls are run again and again. `endAfter`: ends the run when so many equal calls came in a row. */
  readonly stuck?: boolean | { readonly endAfter: number };
  /** A model, or its name such as `"anthropic/claude-sonnet-5"`. */
  readonly model?: Model | string;
  readonly effort?: Effort;
  readonly system?: string;
  /** Earlier history; checked, and repaired where that loses nothing (with a `warning`). */
  readonly messages?: readonly Message[];
  /** Asked at every drain point for messages that are to be read now. One that throws gives a `warning`. */
  readonly getSteeringMessages?: GetMessages;
  /** Asked when the run would rest. */
  readonly getFollowUpMessages?: GetMessages;
  /** Hard deadline for everything, in milliseconds, retries included. */
  readonly timeoutMs?: number;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly providerOptions?: { readonly [provider: string]: JsonObject };
  /** Called before a request is sent again; what it throws is dropped with a `warning`. */
  readonly onRetry?: (info: RetryInfo) => void;
  /** Aborts the run. */
  readonly signal?: AbortSignal;
  /** Position of this run among those of its scope, where several go on at once on a durable host. */
  readonly key?: string;
};

/** Options of a runtime: defaults for its runs, and what belongs to all of them. */
export type RuntimeOptions = Pick<
  ExecOptions,
  | "model"
  | "system"
  | "effort"
  | "limits"
  | "atLimit"
  | "maxIterations"
  | "toolExecution"
  | "stuck"
  | "timeoutMs"
  | "maxOutputTokens"
  | "temperature"
  | "providerOptions"
  | "toolsAllow"
  | "toolsDeny"
  | "toolsSource"
> & {
  /** Tools to register beside the built-ins. */
  readonly tools?: readonly (Tool | Exclude<ToolEntry, string>)[];
  /** Default `memory()`. */
  readonly host?: HostFactory;
  /** Asked for calls that need approval; without it they are denied. */
  readonly approve?: Approve;
  /** How long an approval may take, in milliseconds; then it is denied. Default: no limit but the deadline. */
  readonly approvalTimeoutMs?: number;
  /** Root of the files that tools may touch. Default: the working directory. */
  readonly workspace?: string;
  /** How deep agents and runs may nest, to stop what would never stop. */
  readonly recursion?: Recursion;
  /** Prices by model id; needed for `limits.cost`. */
  readonly prices?: { readonly [modelId: string]: Price };
};

/** Options of `send`. */
export type SendOptions = {
  /** Default `"now"`. */
  readonly when?: When;
  /** The run that is to read it, by its path as in events: this one by default, or one nested in it. A path at which there never was a run throws. */
  readonly to?: string;
};
