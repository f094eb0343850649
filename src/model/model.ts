import type { JsonObject } from "../message/json.ts";
import type { AssistantMessage, Message } from "../message/message.ts";

/** JSON Schema of a tool's arguments, as its author gave it; adapters make it acceptable for their provider. */
export type JsonSchema = JsonObject;

/** One tool as the model is told about it. */
export type ToolDeclaration = {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /** The same for models that leave an object empty whose fields are not declared: such objects are asked for as JSON text. */
  readonly closedParameters?: JsonSchema;
  /** The argument that holds the name of another tool, which is called so: adapters put back there a name that they replace. */
  readonly nameArgument?: string;
  /** Changes nothing outside, says its author. Not sent to providers. */
  readonly readOnly?: boolean;
};

/** What a request asks of the model: decide itself, pick any tool, pick none, or pick one of these names. */
export type RequestToolChoice =
  | "auto"
  | "required"
  | "none"
  | { readonly type: "function"; readonly names: readonly string[] };

/** How much a model should reason. */
export type Effort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh";

/**
 * One request. `messages` and `tools` are the loop's own arrays: read-only, live (the loop appends to `messages` after
 * the reply), the same objects round after round, so that an adapter can cache what it made of them. Keep a copy if you
 * need them later.
 */
export type ModelRequest = {
  readonly system?: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDeclaration[];
  readonly toolChoice: RequestToolChoice;
  readonly parallelToolCalls?: boolean;
  /** The final reply has to be JSON that fits this schema; calls before are fine. Only sent to models that say `supports.output`. */
  readonly output?: { readonly schema: JsonSchema };
  readonly effort?: Effort;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly providerOptions?: { readonly [provider: string]: JsonObject };
  /** When the run's time is up, in milliseconds since 1970: the signal fires then, so no pause need begin that ends behind it. */
  readonly deadlineAt?: number;
};

/**
 * What went wrong with a request.
 * `retryAfterMs` is what the provider asked for; `status` an HTTP status.
 */
export type ModelFailure = {
  readonly kind:
    | "transport"
    | "rate_limit"
    | "overloaded"
    | "auth"
    | "quota"
    | "invalid"
    | "context_overflow"
    | "refusal"
    | "timeout"
    | "aborted"
    | "unknown";
  readonly message: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
};

/**
 * A request is about to be sent again. `attempt` is the number of the attempt that failed, from 1; `delayMs` the pause before
 * the next; `fallback` names the models where another one is asked.
 */
export type RetryInfo = {
  readonly attempt: number;
  readonly delayMs: number;
  readonly error: ModelFailure;
  readonly fallback?: { readonly from: string; readonly to: string };
};

/**
 * What a model streams. `call_start`, `call_delta` and `call_end` carry one tool call, whose deltas are pieces of its raw
 * JSON arguments; calls may interleave, ids tell them apart. `end` comes last, once; its message holds everything again
 * and is what enters the history.
 */
export type ModelEvent =
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "reasoning"; readonly delta: string }
  | { readonly type: "call_start"; readonly id: string; readonly name: string }
  | { readonly type: "call_delta"; readonly id: string; readonly delta: string }
  | { readonly type: "call_end"; readonly id: string }
  | ({ readonly type: "retry" } & RetryInfo)
  | { readonly type: "warning"; readonly code: string; readonly message: string }
  | { readonly type: "end"; readonly message: AssistantMessage; readonly error?: ModelFailure };

/**
 * The port through which the loop asks any model.
 *
 * Contract of `stream`: called once per request. A failure of the provider is an `end` with stop reason `error` and
 * `error`, never a throw (the loop treats a throw as one all the same, and a stream that ends without `end` as a cut
 * reply). It stops promptly when `signal` fires, with an `end` of stop reason `aborted`; the loop does not wait for it.
 */
export type Model = {
  /** Such as `anthropic/claude-sonnet-5`; shown in messages, usage and the command. */
  readonly id: string;
  /** Ids of the models that it asks, where it is none itself (see `fallback`): a reply has the price of the one that wrote it. */
  readonly models?: readonly string[];
  /** Size of the context window in tokens, if known. */
  readonly contextTokens?: number;
  /** Largest reply in tokens, if known. */
  readonly maxOutputTokens?: number;
  /** What the model can do; absent means not known, and is taken as yes. */
  readonly supports?: {
    readonly tools?: boolean;
    readonly toolChoice?: boolean;
    readonly parallelToolCalls?: boolean;
    readonly images?: boolean;
    /** It sees to `request.output` itself; absent: it is asked for in the system prompt. */
    readonly output?: boolean;
  };
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
};
