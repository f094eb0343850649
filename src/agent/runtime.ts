import type { Choices, ChoicesValue } from "../decision/option.ts";
import type { Outgoing, Receipt } from "../host/host.ts";
import type { AgentEvent } from "../loop/events.ts";
import type { RunResult } from "../loop/outcome.ts";
import type { OwnEntry } from "../menu/entry.ts";
import type { ToolExplanation } from "../menu/explain.ts";
import type { Content } from "./content.ts";
import type { ExplainOptions } from "./explained.ts";
import type { Recursion } from "./frame.ts";
import type { ChooseOptions, ExecOptions, SendOptions } from "./options.ts";
import type { Runs } from "./runs.ts";
import type { NoOptions, ValueOf } from "./value-of.ts";

/** A run that is going on or has ended. Not a promise: await `result`. */
export interface Run<V = unknown> extends AsyncIterable<AgentEvent> {
  readonly id: string;
  /** What the run comes to; never rejects. */
  readonly result: Promise<RunResult<V>>;
  /** Text deltas of the run, without those of nested runs. */
  readonly text: AsyncIterable<string>;
  /** Queues a message for this run, or for one inside it; see `when` and `to`. Throws `invalid_option` for what is no message. */
  send(content: Content, options?: SendOptions): Receipt;
  /** Puts anything into the run's inbox: a message, a person's answer to an approval, an abort. Throws as `send` does. */
  post(message: Outgoing): Receipt;
  /** Ends the run with the outcome `aborted`; calls that have not run are answered, nothing is lost. */
  abort(reason?: string): void;
}

/** What tools can reach. */
export type Confinement = {
  /** Absolute path of the folder that tools work in. */
  readonly workspace: string;
  /** Whether tools may open files that hold secrets. */
  readonly allowSecrets: boolean;
  /** Whether tools may write files that other programs execute or trust. */
  readonly allowUnsafePaths: boolean;
};

/** What runs loops: a model, a menu, a host and defaults. */
export interface Runtime extends Confinement {
  /** Limits of the recursion guard. */
  readonly recursion: Recursion;
  /**
   * Runs the loop and resolves to the text of the last reply, also at a limit where there is one.
   *
   * Rejects with a `RondoError`. Before the first request: `invalid_option`, `invalid_tool`, `invalid_history`,
   * `unknown_tool`, `unknown_model`, `missing_package`, `recursion`, and `aborted` or `timeout` inside a run that has ended
   * so. After it: `code` is the outcome, such as `length` or `aborted`, and `result` the whole result (see `isRunError`).
   */
  exec<const O extends ExecOptions = NoOptions>(content: Content, options?: O): Promise<ValueOf<O>>;
  /** Runs the loop and returns its handle. What `exec` would reject with before the first request throws here; afterwards nothing throws or rejects: see `outcome` of the result. */
  run<const O extends ExecOptions = NoOptions>(content: Content, options?: O): Run<ValueOf<O>>;
  /**
   * A decision alone: no tools, one pick among these; see `choices` of `exec`, which also works before it decides.
   *
   * @throws RondoError as `exec` does; what a picked function throws
   */
  choose<const C extends Choices>(content: Content, choices: C, options?: ChooseOptions): Promise<ChoicesValue<C>>;
  /** The runs of this runtime by id, however they were begun, for whoever watches and steers them from outside. */
  readonly runs: Runs;
  /** Adds a tool to the menu of later runs. Throws `invalid_tool` for what is no tool and for a name that is taken. */
  register(tool: OwnEntry): void;
  /**
   * Says of each tool what a run with these options would make of it, and why: those of the menu in its order, then
   * those that gates keep out of it. Asks no model. Inside of a tool it counts what a nested run would inherit.
   *
   * @throws RondoError as `exec` does before the first request, for these options
   */
  explainTools(options?: ExplainOptions): readonly ToolExplanation[];
  /** Takes a tool out of the menu of later runs; unknown names are ignored. */
  unregister(name: string): void;
}
