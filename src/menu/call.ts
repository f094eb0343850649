import type { Json } from "../message/json.ts";
import type { ToolCall, ToolResultContent } from "../message/message.ts";
import { errorResult, normaliseResult } from "../message/normalise.ts";
import { CallContext } from "./call-context.ts";
import { finished, redacted } from "./call-result.ts";
import type { ToolContext } from "./context.ts";
import type { MenuTool } from "./entry.ts";
import type { Interrupts } from "./interrupts.ts";
import type { KeptResults } from "./kept-results.ts";
import type { ProgressReport } from "./progress.ts";
import { cacheKey, type ResultCache } from "./result-cache.ts";
import { clearTimer, setTimer, type Timer } from "./timer.ts";
import { defaultTimeoutMs, longestTimeoutMs, timedArguments } from "./tool-timeout.ts";

/** What a call came to. `interrupted`: the run was ended while it was going on. */
export type CallOutcome = {
  readonly content: readonly ToolResultContent[];
  readonly isError: boolean;
  readonly details?: Json;
  readonly interrupted?: true;
};

/** Where a call stands, and which attempt at it this is. */
export type CallPlace = {
  readonly path: string;
  readonly attempt: number;
  readonly idempotencyKey: string;
  /** The arguments that a person gave for it, as raw JSON; undefined: the model's own. */
  readonly edited?: string | undefined;
  /** The word of the markers between which its result is put; undefined for a tool that is trusted. */
  readonly word: string | undefined;
};

/** What a run is to the code of its tools. */
export type Ambient = {
  readonly runtime: ToolContext["runtime"];
  /** Runs a function inside the ambient context of a call. */
  enter<T>(call: LiveCall, run: () => T): T;
  /** The results that were cut in the root run and all inside it. */
  kept(): KeptResults;
};

/** A call as the runs that are begun in its body know it. */
export type LiveCall = ToolContext & {
  /** The run that was begun last in it. */
  last: NestedRun | undefined;
  /** Counts what was begun in it: runs and methods called as code. */
  begun: number;
  /** Whether what is begun in it counts; a promise while that is not known, and nothing of it may be told. */
  readonly confirmed?: Promise<boolean> | undefined;
  /** It was given up, by its own timeout or the end of its run. To look at `signal` would make one. */
  readonly stopped: boolean;
  /** Calls back when it is given up, at once if it has been; returns how to undo that. */
  onStop(stop: (reason: unknown) => void): () => void;
};

/** A run that was begun in the body of a call. `ended`: its outcome, once it has one. */
export type NestedRun = { readonly ended: string | undefined; readonly answered: boolean };

/** What all calls of a run share. */
export type CallEnvironment = {
  readonly interrupts: Interrupts;
  /** Milliseconds since 1970. */
  readonly deadline: number | undefined;
  readonly ambient: Ambient;
  /** The cap of tools that name none. */
  readonly maxResultChars: number;
  /** The text of an interrupted call. */
  readonly interruptedText: string;
  readonly report: ProgressReport;
  /** Whether results lose the secrets of this process. */
  readonly redact: boolean;
  /** Whether what is cut of results can be read on. */
  readonly pages: boolean;
  /** Remembers results of tools with `cacheMs`; undefined: none is remembered. */
  readonly cache: ResultCache | undefined;
  /** Of a call that is begun early: whether it counts, once that is known. */
  readonly confirmed?: Promise<boolean>;
  /** How many milliseconds what was begun in it had to wait for that; absent when nothing had to. */
  readonly waited?: Promise<number> | undefined;
};

/**
 * Runs one prepared call: cache, timeout, execution, normalising, redaction, cap, marking. Never throws and never
 * rejects: what goes wrong is an error result. Stops waiting when the run is ended or the timeout comes; what the tool
 * does after that is dropped. Synchronous when the tool is.
 */
export function runCall(
  tool: MenuTool,
  value: unknown,
  call: ToolCall,
  place: CallPlace,
  env: CallEnvironment,
): CallOutcome | Promise<CallOutcome> {
  const known = tool.cacheMs === undefined ? undefined : env.cache?.get(keyOf(tool, call, place, env));
  // Redacted anew: the environment may hold more by now.
  if (known) return finished(redacted(known, env), tool, place, env, undefined);
  const max = tool.maxResultChars ?? env.maxResultChars;
  const ctx = new CallContext(call.id, place, max, env);
  const { timeoutMs = defaultTimeoutMs } = tool;
  const timed = typeof timeoutMs === "number" ? undefined : timedArguments(timeoutMs, value);
  const args = timed ? timed.value : value;
  try {
    // What is waited for is begun inside too: a thenable may do its work only when it is awaited.
    const returned = env.ambient.enter(ctx, () => {
      const made = tool.execute(args, ctx);
      return isThenable(made) ? Promise.resolve(made) : made;
    });
    if (!isThenable(returned)) {
      ctx.end();
      return finish(normaliseResult(returned, tool.name), ctx, tool, call, place, env);
    }
    return settle(returned as Promise<unknown>, ctx, tool, call, timed?.ms ?? (timeoutMs as number), place, env);
  } catch (thrown) {
    ctx.end();
    return finish(errorResult(thrown, tool.name), ctx, tool, call, place, env);
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";

function settle(
  work: Promise<unknown>,
  ctx: CallContext,
  tool: MenuTool,
  call: ToolCall,
  ms: number,
  place: CallPlace,
  env: CallEnvironment,
): Promise<CallOutcome> {
  return new Promise((resolve) => {
    let timer: Timer | undefined;
    const end = (outcome: () => CallOutcome, reason?: unknown) => {
      if (!ctx.end(reason)) return;
      if (timer) clearTimer(timer);
      env.interrupts.delete(waiting);
      resolve(outcome());
    };
    const waiting = { stop: () => end(() => interrupted(env), env.interrupts.reason ?? "aborted") };
    const late = () => end(() => timedOut(tool.name, ms), timeoutReason(tool.name, ms));
    if (ms <= longestTimeoutMs) {
      const until = setTimer(ms, () => {
        const { waited } = env;
        if (waited === undefined) return late();
        // It could not go on before it counted: that time was not its own.
        waited.then((more) => {
          const left = until.due + more - performance.now();
          if (left <= 0) late();
          else if (!ctx.over) timer = setTimer(left, late);
        });
      });
      timer = until;
    }
    env.interrupts.add(waiting);
    work.then(
      (value) => end(() => finish(normaliseResult(value, tool.name), ctx, tool, call, place, env)),
      (thrown) => end(() => finish(errorResult(thrown, tool.name), ctx, tool, call, place, env)),
    );
  });
}

const keyOf = (tool: MenuTool, call: ToolCall, { edited }: CallPlace, { ambient }: CallEnvironment) =>
  cacheKey(tool, edited ?? call.arguments, ambient);

function finish(
  result: CallOutcome,
  ctx: CallContext,
  tool: MenuTool,
  call: ToolCall,
  place: CallPlace,
  env: CallEnvironment,
): CallOutcome {
  const clean = redacted(result, env);
  const { last } = ctx;
  // What a run inside did not bring to its own end is better tried again.
  if (tool.cacheMs !== undefined && !clean.isError && (last?.ended ?? "stop") === "stop") {
    env.cache?.put(keyOf(tool, call, place, env), clean, tool.cacheMs);
  }
  return finished(clean, tool, place, env, last);
}

function interrupted({ interruptedText }: CallEnvironment): CallOutcome {
  return { content: [{ type: "text", text: interruptedText }], isError: true, interrupted: true };
}

function timedOut(name: string, ms: number): CallOutcome {
  const text = `Tool "${name}" timed out after ${ms / 1000} s and was given up; what it had begun may have taken effect.`;
  return { content: [{ type: "text", text }], isError: true };
}

const timeoutReason = (name: string, ms: number) =>
  new DOMException(`Tool "${name}" timed out after ${ms} ms.`, "TimeoutError");
