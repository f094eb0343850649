import type { Model, ModelEvent, ModelRequest } from "../model.ts";
import { historyRenderer } from "./history.ts";
import { choiceNotice, menuTexts, outputText } from "./prompt.ts";
import { type ReplyReader, readReply } from "./reply.ts";
import type { TextToolsOptions } from "./text-tools.ts";

const noTools: ModelRequest["tools"] = [];

/** Streams replies of a model that picks its tools in text. */
export function textProtocol(model: Model, { newId = randomId }: TextToolsOptions): Model["stream"] {
  const menuOf = menuTexts();
  const rendered = historyRenderer();
  return (request, signal) => {
    const { system, tools, toolChoice, output, parallelToolCalls: _, ...rest } = request;
    const menu = tools.length === 0 ? undefined : menuOf(tools);
    const said = [system, menu?.text, menu && output && outputText(output.schema)].filter((part) => part);
    const inner: ModelRequest = {
      ...rest,
      ...(said.length > 0 && { system: said.join("\n\n") }),
      messages: rendered(request.messages, menu ? choiceNotice(toolChoice, request.messages.at(-1)) : ""),
      tools: noTools,
      toolChoice: menu ? "auto" : toolChoice,
      ...(menu === undefined && output !== undefined && { output }),
    };
    return streamed(model, inner, menu?.known, newId, signal);
  };
}

async function* streamed(
  model: Model,
  request: ModelRequest,
  known: ((name: string) => boolean) | undefined,
  newId: () => string,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  const own = new AbortController();
  const link = () => own.abort(signal.reason);
  if (signal.aborted) link();
  else signal.addEventListener("abort", link, { once: true });
  const source = model.stream(request, own.signal)[Symbol.asyncIterator]();

  const events: ModelEvent[] = [];
  const begin = () => readReply(model.id, known, newId, (event) => events.push(event));
  let reader = begin();
  try {
    for (let over = false; !over; ) {
      const event = reader.complete ? await stopped(source, reader, own) : await nextOf(source);
      // What streamed before a request is sent again belongs to no reply.
      if (event?.type === "retry") reader = begin();
      over = event === undefined || event.type === "end";
      if (event === undefined || event.type === "end") reader.end(event, signal.aborted);
      else reader.take(event);
      for (const one of events) yield one;
      events.length = 0;
    }
  } finally {
    signal.removeEventListener("abort", link);
    own.abort();
    source.return?.().then(undefined, () => {});
  }
}

type Source = AsyncIterator<ModelEvent>;

/** The next event; undefined when there is none any more. */
async function nextOf(source: Source): Promise<ModelEvent | undefined> {
  const step = await source.next();
  return step.done ? undefined : step.value;
}

/**
 * How long the model may be silent behind its action, and how long it may take to end when it was stopped. A model that
 * ends by itself tells its usage.
 */
const graceMs = 1_000;

/** Events that a model may still give when it was stopped. */
const mostLate = 100;

/** The end of a reply whose action is complete: its own, or that of stopping it as soon as it goes on. */
async function stopped(source: Source, reader: ReplyReader, own: AbortController): Promise<ModelEvent | undefined> {
  if (reader.goesOn) own.abort();
  const ending = (async () => {
    for (let late = 0; ; ) {
      const event = await nextOf(source);
      if (event === undefined || event.type === "end") return { event };
      if (own.signal.aborted && ++late > mostLate) return { event: undefined };
      reader.take(event);
      if (reader.goesOn) own.abort();
    }
  })().catch(() => ({ event: undefined }));
  const aborted = new Promise<undefined>((resolve) => {
    own.signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  for (let quiet = false; !own.signal.aborted && !quiet; ) {
    const seen = reader.read;
    const end = await within(Promise.race([ending, aborted]), graceMs);
    if (end !== undefined) return end.event;
    quiet = reader.read === seen;
  }
  own.abort();
  return (await within(ending, graceMs))?.event;
}

/** What a promise comes to, unless that takes longer than `ms`. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

const randomId = (): string => `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
