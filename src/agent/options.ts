import type { Choices } from "../decision/option.ts";
import type { HostFactory, When } from "../host/host.ts";
import type { ApprovalMode, ApprovalScope } from "../menu/approval/mode.ts";
import type { OwnEntry } from "../menu/entry.ts";
import type { ownPresets, Presets } from "../menu/presets.ts";
import type { ToolEntry, ToolInput } from "../menu/tool.ts";
import type { JsonObject } from "../message/json.ts";
import type { Message, ToolCall, UserMessage } from "../message/message.ts";
import type { Effort, Model, RetryInfo } from "../model/model.ts";
import type { Recursion } from "./frame.ts";
import type { sharedDefaults } from "./option-names.ts";
import type { Runtime } from "./runtime.ts";

/** Whether the model may, must or must not pick; names force one of these tools. */
export type ToolChoice =
  | "auto"
  | "required"
  | "none"
  | { readonly type: "function"; readonly name: string }
  | readonly string[];

/** Name of a preset; see `toolset`. */
export type Toolset = "full" | "none" | keyof typeof ownPresets | (string & Record<never, never>);

/**
 * Ceilings of a run, nested runs included; all above 0, none by default. Each has an outcome of its own. They are looked
 * at before each request and each call: the reply that passes one is still counted in full.
 */
export type Limits = {
  /** Calls begun, at least 1. Outcome `max_tool_calls`. */
  readonly toolCalls?: number;
  /** Tokens in and out of all requests. Outcome `max_tokens`. */
  readonly totalTokens?: number;
  /**
   * Cost in the currency of the runtime's `prices`. Outcome `max_cost`. A model without a price there is a caller mistake
   * (`invalid_option`).
   */
  readonly cost?: number;
};

/** Price per million tokens, at least 0, in a currency of your choice; `cacheRead` and `cacheWrite` default to `input`. */
export type Price = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
};

/** A call that needs a person's word. */
export type ApprovalRequest = {
  /** The model's call: a copy too. */
  readonly call: ToolCall;
  /** The very tool, as its author gave it: a name alone may be that of another one. Absent where it is not there any more. */
  readonly tool?: OwnEntry;
  /** The runtime as the tool will see it: what it does to files, it does in the `workspace` of this one. */
  readonly runtime: Runtime;
  /** The validated arguments: a copy, changing it changes nothing; answer with `arguments` instead. */
  readonly arguments: unknown;
  /** The rule that covers just this call: what an answer with the scope `"run"` or `"always"` is about. Absent where the tool is not there any more. */
  readonly rule?: string;
  readonly runId: string;
  /** Path of the run that the call is in, as in events: `""` for the root run. */
  readonly path: string;
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
};

/**
 * The answer: yes, no with a reason for the model, or yes with other arguments (which are validated again). A yes is for
 * this call alone (`"once"`), for equal calls of the root run and everything nested in it (`"run"`), or for equal calls of
 * the runtime from then on (`"always"`). Equal: the same tool and subject, see `Approvals`; with other arguments, theirs.
 */
export type Approval =
  | boolean
  | {
      readonly approved: boolean;
      readonly reason?: string;
      readonly arguments?: JsonObject;
      /** Default `"once"`. */
      readonly scope?: ApprovalScope;
    };

/**
 * Who has to agree to which calls. A rule is `tool`, or `tool(pattern)` for calls whose subject fits: a path, a URL, a
 * command, code, else all arguments as JSON. The first of these that speaks of a call decides: a deny rule, the mode
 * `"read-only"`, an ask rule, an allow rule, the mode `"all"`, `requiresApproval` of the tool and the runtime, the mode.
 * Binds nested runs too: where another runtime has rules of its own, the strictest answer counts.
 */
export type Approvals = {
  /** Default: only what asks of itself (`requiresApproval`) is asked about. */
  readonly mode?: ApprovalMode;
  /** Calls that never run. Case and separators in a tool's name, and case in paths, do not count. */
  readonly deny?: readonly string[];
  /** Calls that a person is asked about. Case does not count here either. */
  readonly ask?: readonly string[];
  /** Calls that run unasked: names and paths exactly. */
  readonly allow?: readonly string[];
  /** Called when a person said "always", with the rule that covers just that; what it throws is a `warning`, and so is that it takes more than 30 seconds: the call waits no longer. */
  readonly onAlways?: (rule: string) => void | Promise<void>;
};

/** Asked for each call that needs approval. One that throws denies. */
export type Approve = (request: ApprovalRequest) => Approval | Promise<Approval>;

/** Queued messages for a run that asks for them; see `getSteeringMessages`. */
export type GetMessages = () => readonly (UserMessage | string)[] | Promise<readonly (UserMessage | string)[]>;

/**
 * Options of `exec` and `run`. One that is given as undefined is not given: the runtime's holds. What an option cannot
 * hold throws a `RondoError` before the first request: `invalid_option`, or the code named with the option.
 */
export type ExecOptions = RunOptions & Wanted;

/** What a run has to come to beside text: a decision, or a structured result. */
type Wanted =
  | {
      /**
       * What the run ends with: one of these options, which the model picks in its final reply; see `option`. `exec`
       * resolves to what the option yields. An invalid pick is asked for once more, then the outcome is `undecided`.
       */
      readonly choices?: Choices | undefined;
      readonly output?: undefined;
    }
  | {
      /**
       * What the run ends with: a value that fits this schema (of any type, not only an object). `exec` resolves to it as
       * the schema makes it. An invalid one is asked for once more, then the outcome is `undecided`.
       */
      readonly output?: ToolInput | undefined;
      readonly choices?: undefined;
    };

/** Options of a run, whatever it comes to. */
export type RunOptions = {
  /** The menu: tools, objects with `spec` and `execute`, names of registered tools. Default: inherited from the run around it, else every tool of the runtime. `[]`: none. Not together with `toolset`. A tool whose raw JSON Schema cannot be used is left out, with a `warning`. Throws `invalid_tool` for what is no tool and for two of one name, `unknown_tool` for a name that nothing has. */
  readonly tools?: readonly ToolEntry[];
  /**
   * A preset instead of `tools`: `"full"` (every tool of the runtime), `"none"`, `"default"` (every tool that comes with
   * Rondo), `"coding"`, `"research"`, `"safe"` (reads and searches only), or one of the runtime's `presets`.
   */
  readonly toolset?: Toolset;
  /** Where the request comes from, in a word of yours; tools that are `unsafeIn` it are left out. A nested run has those of the runs around it beside its own: a tool has to be fit for all of them. Default: what is around, else the runtime's (beside what is around, that of another runtime), else none: nothing is left out. */
  readonly toolsSource?: string;
  /** Only these names, of whatever menu; `[]` allows nothing. Binds nested runs too: lists intersect. A name that nothing has gives a `warning`. */
  readonly toolsAllow?: readonly string[];
  /** Never these names, also in nested runs: denials add up. A name that nothing has gives a `warning`. */
  readonly toolsDeny?: readonly string[];
  /**
   * Tokens, at least 0, that the declarations of all tools together may take; with more, the model is told of those
   * that come with Rondo, of those with `defer: false` and of those that `toolChoice` names, and finds the others with
   * `tool_search`. More than 127 tools are too many, however small. `Infinity`: any number. Default: a tenth of the model's context window, or 10,000 if that is not known.
   */
  readonly deferAbove?: number;
  /** Default `"auto"`. A forced choice is sent until a reply has picked what was forced. Throws for `"required"` without tools, and for names that are not in the menu. */
  readonly toolChoice?: ToolChoice;
  /** `"round"` sends a forced choice in every round. Default `"once"`. */
  readonly toolChoiceScope?: "once" | "round";
  /** `false` asks the model for one call a round; `"strict"` also runs only the first of several. Default: as the model likes. */
  readonly parallelToolCalls?: boolean | "strict";
  /** Rounds, at least 1: `max(1, floor N)`; `Infinity`: no cap. Default 20. */
  readonly maxIterations?: number;
  /** Ceilings on calls, tokens and cost, nested runs included. Default: none. */
  readonly limits?: Limits;
  /** At a limit: `"close"` (default) asks once more for an answer without tools; `"stop"` ends at once. */
  readonly atLimit?: "close" | "stop";
  /**
   * `"overlap"` runs neighbouring calls of `readOnly` tools together, and begins them while the reply still streams; one
   * that was begun so is aborted and dropped if the reply is cut or lost. Default `"sequential"`.
   */
  readonly toolExecution?: "sequential" | "overlap";
  /** Default true: a call that failed twice is not run the third time. `false`: it is. `endAfter` (at least 2): ends the run with the outcome `stuck` when so many equal calls came in a row. */
  readonly stuck?: boolean | { readonly endAfter: number };
  /**
   * A model, or its name such as `"anthropic/claude-sonnet-5"` (see `resolveModel` for names and what they throw).
   * Default: that of a run of the same runtime around it, else the runtime's own, else that of whatever run is around, else `RONDO_MODEL`, else `"offline"` (with a `warning`).
   */
  readonly model?: Model | string;
  /** How much the model should reason, from `"none"` to `"xhigh"`. Default: the model's own. */
  readonly effort?: Effort;
  /** System prompt; the same in every round. Default: the runtime's, else none. Never inherited from the run around. */
  readonly system?: string;
  /** Earlier history; checked, and repaired where that loses nothing (with a `warning`). Throws `invalid_history` for what cannot be repaired. */
  readonly messages?: readonly Message[];
  /** Asked at every drain point for messages that are to be read now. One that throws gives a `warning`, and so does each message that cannot be sent. */
  readonly getSteeringMessages?: GetMessages;
  /** Asked when the run would rest; what it gives keeps the run going. One that throws gives a `warning`. */
  readonly getFollowUpMessages?: GetMessages;
  /** Hard deadline for everything, in milliseconds above 0, retries and nested runs included. Outcome `timeout`. Default: none. */
  readonly timeoutMs?: number;
  /** Longest reply in tokens, a whole number above 0, for each request. A reply that is cut there is `length`. Default: the model's own. */
  readonly maxOutputTokens?: number;
  /** At least 0; what is usual depends on the model, and some models take none. Default: the model's own. */
  readonly temperature?: number;
  /** Settings by provider, handed on as they are, such as `{ openai: { serviceTier: "flex" } }`. */
  readonly providerOptions?: { readonly [provider: string]: JsonObject };
  /** Called before a request is sent again; what it throws is dropped with a `warning`. */
  readonly onRetry?: (info: RetryInfo) => void;
  /** Aborts the run: outcome `aborted`. One that has fired already ends it before the first request. */
  readonly signal?: AbortSignal;
  /** Position of this run among those of its scope, where several go on at once on a durable host. Text that is not empty; `memory()` makes no use of it. */
  readonly key?: string;
};

/** Options of `choose`: those of a run but for its menu, which is empty. */
export type ChooseOptions = Omit<RunOptions, "tools" | "toolset" | "toolChoice" | "toolChoiceScope">;

/** Options of a runtime: defaults for its runs, and what belongs to all of them. */
export type RuntimeOptions = Pick<ExecOptions, (typeof sharedDefaults)[number]> & {
  /** Tools to register beside the built-ins. */
  readonly tools?: readonly OwnEntry[];
  /** Named menus for `toolset`, beside those that there are. */
  readonly presets?: Presets;
  /** Names of tools that the user has disabled: denied as by `toolsDeny`, nested runs included, but in any spelling (`writeFile` is `write_file`), and a name that nothing has gives no warning. */
  readonly toolsDisabled?: readonly string[];
  /** Performs and remembers the steps of runs. Default `memory()`. */
  readonly host?: HostFactory;
  /** Asked for calls that need approval; without it they are denied. */
  readonly approve?: Approve;
  /**
   * Names of tools whose calls need approval, whatever those tools say of themselves: to ask before files are written,
   * for instance. Binds nested runs too, also those of other runtimes, where more names add up. Case and separators do
   * not count (`writeFile` is `write_file`); a name that no tool of a run has, a misspelt one as well, gates nothing and
   * gives only a `warning`: the tool may be one that comes with a later run. Default: none.
   */
  readonly requiresApproval?: readonly string[];
  /** Rules about which calls are denied, asked about or run; a mode for the others. Default: what asks of itself is asked about. Throws `invalid_option` for a rule that cannot be read; one for a tool that nothing has gives a `warning`. */
  readonly approvals?: Approvals;
  /** How long an approval may take, in milliseconds above 0 from the last record before the question; then it is denied. Default: no limit but the deadline. */
  readonly approvalTimeoutMs?: number;
  /** Root of the files that its tools may touch, also where a run through another runtime inherits them: a folder that is there. Default: the working directory. */
  readonly workspace?: string;
  /** Lets tools also open files that by their name hold keys, passwords or other secrets. Default false. */
  readonly allowSecrets?: boolean;
  /** Lets tools also write files that other programs execute or trust, such as `.git/`, `.github/` or `.bashrc`; those that may hold secrets as well (`.npmrc`, `.envrc`, `.git/config`) only together with `allowSecrets`. Default false. */
  readonly allowUnsafePaths?: boolean;
  /**
   * Default true: where a tool's result holds the exact value of an environment variable of this process that is named
   * like a key, token, secret or password (at least 8 characters, no common word), the model reads `[redacted: NAME]`.
   * `write_file` and `edit_file` do not write that back. All else of a result reaches it unchanged; with `false` this
   * too. Errors, warnings and the command's output are always without secrets.
   */
  readonly redact?: boolean;
  /** How deep agents and runs may nest, to stop what would never stop. */
  readonly recursion?: Recursion;
  /**
   * Prices by model id, or a function that looks one up, in a package of prices for instance; without them no usage has a
   * `cost`. Needed for `limits.cost`. What the function throws, or gives that is no price, is a caller mistake.
   */
  readonly prices?: { readonly [modelId: string]: Price } | ((modelId: string) => Price | undefined);
};

/** Options of `send`. */
export type SendOptions = {
  /** Default `"now"`. */
  readonly when?: When;
  /** The run that is to read it, by its path as in events: this one by default, or one nested in it. A path at which there never was a run throws. */
  readonly to?: string;
};
