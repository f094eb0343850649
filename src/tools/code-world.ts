import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import base from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";
import { wellFormed } from "../message/well-formed.ts";
import { explained, hinted, outOfMemory } from "./code-errors.ts";
import { type Job, type Ran, timeIsUp } from "./code-job.ts";
import { printedText } from "./code-printed.ts";
import { worldSetup } from "./world-setup.ts";

type Memory = { readonly buffer: ArrayBuffer };

/** What worlds are made of: the engine, compiled once. */
export type Engine = { readonly wasmModule: object };

// Not among the types of Node.
const { compile, Memory } = (
  globalThis as unknown as {
    WebAssembly: {
      compile(program: Uint8Array): Promise<object>;
      Memory: new (size: { initial: number; maximum: number }) => Memory;
    };
  }
).WebAssembly;

export async function loadEngine(): Promise<Engine> {
  const file = fileURLToPath(import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm"));
  return { wasmModule: await compile(await readFile(file)) };
}

// Its types are those of the CommonJS form, in which the default is one level further down.
const variant = base as unknown as QuickJSSyncVariant;

const pageBytes = 64 * 1024;

/** What the engine asks for at its start, in pages: 16 MB. */
const initialPages = 256;

/**
 * Bounds all that the engine holds, its own 6 MB among it. Its own limit is no more than a help: this build does not know
 * the size of what it holds, and so compares nothing but single pieces with it.
 */
function memoryOf(bytes: number): Memory {
  return new Memory({ initial: initialPages, maximum: Math.max(initialPages, Math.floor(bytes / pageBytes)) });
}

/** Of the engine's stack, in bytes: above it code is told "stack overflow". */
const maxStackBytes = 256 * 1024;

/** Evaluates as a script in which `await` is allowed at the top; gives a promise of `{ value }`, that of the last statement. */
const asyncScript = 1 << 7;

/**
 * Runs code in a world of its own. The engine's memory is new for every call too, and is dropped, not taken down: so
 * nothing that code does to its engine outlives the call. `tell` is given the beginning of what is printed as it comes.
 * Never rejects.
 */
export async function runInWorld(engine: Engine, job: Job, tell: (text: string) => void): Promise<Ran> {
  const printed = printedText(job, tell);
  try {
    const wasmMemory = memoryOf(job.memoryBytes);
    const bounded = newVariant(variant, { ...engine, wasmMemory });
    const runtime = (await newQuickJSWASMModuleFromVariant(bounded)).newRuntime();
    // It grows by a twentieth at least: when that goes no more, it is full.
    const end = run(runtime, job, printed, () => wasmMemory.buffer.byteLength > job.memoryBytes * 0.9);
    return { ...end, printed: printed.text(job.maxText - (end.text?.length ?? 0)) };
  } catch (error) {
    return { printed: printed.text(job.maxText), ok: false, text: explained(error, job.memoryBytes) };
  }
}

type End = { readonly ok: true; readonly text?: string } | { readonly ok: false; readonly text: string };

function run(runtime: QuickJSRuntime, job: Job, printed: ReturnType<typeof printedText>, full: () => boolean): End {
  runtime.setMemoryLimit(job.memoryBytes);
  runtime.setMaxStackSize(maxStackBytes);
  const context = runtime.newContext();
  const world = furnish(context, job, printed.add);
  const end = performance.now() + job.timeMs;
  let stopped: string | undefined;
  runtime.setInterruptHandler(() => {
    if (printed.full()) stopped ??= `Stopped: it printed more than ${job.maxPrinted / 1e6} million characters.`;
    else if (performance.now() > end) stopped ??= timeIsUp(job.timeMs);
    return stopped !== undefined;
  });
  const ended = outcomeOf(context, runtime, job, world, full, () => stopped);
  // Also if the code was stopped: this runs nothing of its own.
  runtime.removeInterruptHandler();
  context.callFunction(world.handOut, context.undefined);
  return ended;
}

function outcomeOf(
  context: QuickJSContext,
  runtime: QuickJSRuntime,
  job: Job,
  { show, tell, begin }: World,
  full: () => boolean,
  why: () => string | undefined,
): End {
  const settled = evaluate(context, runtime, job.code, begin, () => why() !== undefined);
  let stopped = why();
  if (stopped !== undefined) return { ok: false, text: stopped };
  if ("problem" in settled) return { ok: false, text: settled.problem };
  // Without the memory for an error, the engine throws null.
  if (!settled.ok && full() && context.sameValue(settled.handle, context.null)) {
    return { ok: false, text: outOfMemory(job.memoryBytes) };
  }
  // Saying it may run code of the world as well: a toJSON, the traps of a Proxy.
  const said = context.callFunction(settled.ok ? show : tell, context.undefined, settled.handle);
  stopped = why();
  if (stopped !== undefined) return { ok: false, text: stopped };
  if (said.error && full()) return { ok: false, text: outOfMemory(job.memoryBytes) };
  if (said.error) return { ok: false, text: "The code ran, but what came of it cannot be said (out of memory?)." };
  const text = textOf(context, said.value);
  if (settled.ok) return text === undefined ? { ok: true } : { ok: true, text };
  return { ok: false, text: hinted(text ?? "", job) };
}

/** The functions that say a value, and a thrown thing, that print what still waits, and that are told of the code's start. */
type World = { readonly [part in "show" | "tell" | "handOut" | "begin"]: QuickJSHandle };

/** Puts the console into a world. */
function furnish(context: QuickJSContext, job: Job, add: (text: string, left: number) => void): World {
  const print = context.newFunction("print", (text, left) => {
    const line = textOf(context, text);
    if (line !== undefined) add(line, left === undefined ? 0 : context.getNumber(left));
  });
  const setup = context.unwrapResult(context.evalCode(worldSetup, "world"));
  // A line and a value of this size fit into the answer, with what is said of their cuts.
  const most = context.newNumber(Math.floor(job.maxText / 2) - 100);
  const ownLines = context.newNumber(job.code.split("\n").length);
  const parts = context.unwrapResult(context.callFunction(setup, context.undefined, print, most, ownLines));
  const part = (index: number) => context.getProp(parts, index);
  return { show: part(0), tell: part(1), handOut: part(2), begin: part(3) };
}

/** Text comes out of a world as JSON. */
function textOf(context: QuickJSContext, handle: QuickJSHandle): string | undefined {
  if (context.typeof(handle) !== "string") return undefined;
  const text: unknown = JSON.parse(context.getString(handle));
  return typeof text === "string" ? wellFormed(text) : undefined;
}

/** How code ended: with a value or something thrown; or not at all. */
type Settled = { readonly ok: boolean; readonly handle: QuickJSHandle } | { readonly problem: string };

/**
 * Models write a script, an expression, or the body of a function. What begins with a brace is an object if it can be
 * one, as in a console; what has a `return` at the top is the body of an async function; the rest is a script.
 */
function evaluate(
  context: QuickJSContext,
  runtime: QuickJSRuntime,
  code: string,
  begin: QuickJSHandle,
  stopped: () => boolean,
): Settled {
  const start = (before: string, after: string) => {
    context.callFunction(begin, context.undefined, context.newNumber(before.length));
    return context.evalCode(before + code + after, "code", asyncScript);
  };
  if (/^\s*\{/.test(code) && !/;\s*$/.test(code)) {
    const begun = start("(", "\n)");
    if (!begun.error) return settle(context, runtime, begun.value, stopped);
  }
  const begun = start("", "");
  if (!begun.error) return settle(context, runtime, begun.value, stopped);
  const message = context.getProp(begun.error, "message");
  if (context.typeof(message) !== "string" || context.getString(message) !== "return not in a function") {
    return { ok: false, handle: begun.error };
  }
  const body = start("(async () => {", "\n})()");
  if (body.error) return { ok: false, handle: body.error };
  return settle(context, runtime, body.value, stopped);
}

const neverSettles =
  "The code waits for a promise that never settles: nothing is left to run that could settle it (there are no timers, and nothing comes from outside).";

function settle(
  context: QuickJSContext,
  runtime: QuickJSRuntime,
  promise: QuickJSHandle,
  stopped: () => boolean,
): Settled {
  let handle = promise;
  // First the script itself, then the promise that may be its value.
  for (const last of [false, true]) {
    for (let ran = 1; ran > 0 && !stopped(); ) {
      const jobs = runtime.executePendingJobs(1_000);
      if (jobs.error) return { ok: false, handle: jobs.error };
      ran = jobs.value;
    }
    if (stopped()) break;
    const state = context.getPromiseState(handle);
    if (state.type === "pending") return { problem: neverSettles };
    if (state.type === "rejected") return { ok: false, handle: state.error };
    if (state.notAPromise) break;
    handle = last ? state.value : context.getProp(state.value, "value");
  }
  return { ok: true, handle };
}
