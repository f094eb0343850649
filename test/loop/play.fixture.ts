import { expect } from "vitest";
import {
  type AgentEvent,
  createRuntime,
  type ExecOptions,
  type Message,
  type Model,
  type RondoErrorCode,
  type Run,
  type RunResult,
  type RuntimeOptions,
  type Tool,
  type ToolResultMessage,
  tool,
} from "../../src/core.ts";
import { checkHistory } from "../../src/message/history.ts";
import { callsOf, textOf } from "../../src/message/message.ts";
import { type ScriptEntry, type ScriptedCall, type ScriptedModel, scripted } from "../../src/testing/index.ts";

/** A tool call for a script. */
export const call = (name: string, args: ScriptedCall["arguments"] = {}, id?: string): ScriptedCall =>
  id === undefined ? { name, arguments: args } : { name, arguments: args, id };

/** A reply that holds only these calls. */
export const picks = (...calls: readonly (string | ScriptedCall)[]) => ({
  calls: calls.map((one) => (typeof one === "string" ? call(one) : one)),
});

/** A tool that answers with its name and remembers when it ran. */
export function logged(name: string, log: string[], extra: Partial<Tool> = {}): Tool {
  return tool({
    name,
    input: { type: "object" },
    execute: () => {
      log.push(name);
      return `${name} done`;
    },
    ...extra,
  });
}

export type Played = {
  readonly model: ScriptedModel;
  readonly run: Run;
  readonly result: RunResult;
  readonly events: readonly AgentEvent[];
};

/** Starts a run of this script; `ended` reads it to its end and checks what holds for every run. */
export function start(script: readonly ScriptEntry[], options: ExecOptions = {}, defaults: RuntimeOptions = {}) {
  const model = scripted(script);
  const runtime = createRuntime({ model, ...defaults });
  const run = runtime.run("go", { tools: [], ...options });
  const events: AgentEvent[] = [];
  const reading = read(run, events);
  const ended = async (): Promise<Played> => {
    await reading;
    const result = await run.result;
    checkRun(run, events, result, options.messages ?? []);
    return { model, run, result, events };
  };
  return { model, runtime, run, events, ended };
}

/** Runs a script to its end; every reply of it must have been asked for. */
export async function play(script: readonly ScriptEntry[], options: ExecOptions = {}, defaults: RuntimeOptions = {}) {
  const played = await start(script, options, defaults).ended();
  played.model.check();
  return played;
}

export async function read(run: AsyncIterable<AgentEvent>, into: AgentEvent[] = []): Promise<AgentEvent[]> {
  for await (const event of run) into.push(event);
  return into;
}

/** What holds for every run: one `agent_end`, last; a valid history; one start and one end for every call. */
function checkRun(run: Run, events: readonly AgentEvent[], result: RunResult, earlier: readonly Message[]): void {
  expect(events.filter((event) => event.type === "agent_end" && event.runId === run.id)).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ type: "agent_end", runId: run.id, outcome: result.outcome });
  expect(checkHistory([...earlier, ...result.messages])).toEqual([]);
  const ids = result.messages.flatMap((message) => (message.role === "assistant" ? callsOf(message) : [])).map(idOf);
  expect(startsOf(events, run.id).map(idOf).toSorted()).toEqual(ids.toSorted());
  expect(
    endsOf(events, run.id)
      .map((event) => event.call.id)
      .toSorted(),
  ).toEqual(ids.toSorted());
}

const idOf = (one: { readonly id: string }) => one.id;

/** The calls of `tool_start` events, in the order of the events. */
export const startsOf = (events: readonly AgentEvent[], runId?: string) =>
  events.flatMap((event) =>
    event.type === "tool_start" && (runId === undefined || event.runId === runId) ? [event.call] : [],
  );

export const endsOf = (events: readonly AgentEvent[], runId?: string) =>
  events.flatMap((event) =>
    event.type === "tool_end" && (runId === undefined || event.runId === runId) ? [event] : [],
  );

export const warningsOf = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === "warning" ? [event] : []));

/** The tool results of a history. */
export const resultsOf = (messages: readonly Message[]): readonly ToolResultMessage[] =>
  messages.filter((message) => message.role === "tool");

/** The texts of the tool results of a history, failures marked. */
export const answers = (messages: readonly Message[]) =>
  resultsOf(messages).map((message) => (message.isError ? `! ${textOf(message)}` : textOf(message)));

/** The roles of a history, and the text of what is not a reply with calls. */
export const outline = (messages: readonly Message[]) =>
  messages.map((message) => {
    const calls = message.role === "assistant" ? callsOf(message).map((one) => one.name) : [];
    if (message.role === "tool") return `tool ${message.toolName}`;
    return calls.length > 0 ? `${message.role} -> ${calls.join(",")}` : `${message.role}: ${textOf(message)}`;
  });

/** What a promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("it did not reject");
}

/** Asserts that the mistake is said at once, by `run` and by `exec`, before any request. */
export async function refuses(
  options: ExecOptions,
  code: RondoErrorCode,
  says: RegExp,
  defaults: RuntimeOptions = {},
): Promise<void> {
  const model = scripted([]);
  const runtime = createRuntime({ model, ...defaults });
  expect(() => runtime.run("go", options)).toThrow(
    expect.objectContaining({ code, message: expect.stringMatching(says) }),
  );
  expect(await failure(runtime.exec("go", options))).toMatchObject({ name: "RondoError", code });
  expect(model.requests).toHaveLength(0);
}

/** Waits until something holds, looking once per turn of the event loop. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Lets this many microtasks pass. */
export async function microtasks(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await undefined;
}

export const tokens = (inputTokens: number, outputTokens: number) => ({
  inputTokens,
  outputTokens,
  totalTokens: inputTokens + outputTokens,
});

/** A callback that gives these messages when it is first asked, and then none. */
export function once(...messages: readonly string[]): () => readonly string[] {
  let asked = 0;
  return () => (asked++ === 0 ? messages : []);
}

export const never = () => new Promise<never>(() => {});

/** The answer to a call that had begun when its run ended. */
export const interrupted = expect.stringMatching(/^! .*interrupted.*unknown/is);

/** The answer to a call that never began. */
export const notRun = expect.stringMatching(/^! .*no work was done/is);

/** A tool that does something with the run it belongs to while it runs. */
export const during = (name: string, log: string[], act: () => unknown) =>
  tool({
    name,
    execute: async () => {
      log.push(name);
      await act();
      return `${name} done`;
    },
  });

export const skipped = expect.stringMatching(/^! Skipped due to queued user message.*no work was done/is);

export const usersOf = (messages: readonly Message[] = []) =>
  messages.filter((message) => message.role === "user").map((message) => textOf(message));

/** A model whose reply never ends, however often it is asked. */
export const hanging = (): Model => ({
  id: "hanging",
  stream: () => ({ [Symbol.asyncIterator]: () => ({ next: never }) }),
});
