import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { StopReason } from "../../message/message.ts";
import { withoutSecrets } from "../../message/redact.ts";
import { type About, advised } from "../advice.ts";
import { type Reply, startReply } from "../collect.ts";
import { failureOf } from "../failure.ts";
import { type IdleLimits, silenceOf, watchSilence } from "../idle.ts";
import type { ModelEvent, ModelFailure } from "../model.ts";
import { type OpenNotes, openNotes, type WireNotes } from "../wire/notes.ts";
import { blockWatch } from "./block-watch.ts";
import type { Call, Warning } from "./call-options.ts";
import { callTracker } from "./call-tracker.ts";
import { stopReasonOf, usageOf } from "./finish.ts";
import type { AiSdkPart, LanguageModel } from "./language-model.ts";
import type { NamedTools } from "./named-tool.ts";
import type { History } from "./prompt.ts";
import type { Submission } from "./submission.ts";
import { type SubmissionTracker, submissionTracker } from "./submitted.ts";
import { type Ending, translator } from "./translate.ts";
import { unsentEffort } from "./unsent-effort.ts";
import type { WireNames } from "./wire-names.ts";

/** All that one attempt at a request needs. */
export type Attempt = {
  readonly model: LanguageModel;
  readonly modelId: string;
  readonly call: Call;
  /** What was left out of the request before it became the call. */
  readonly warnings: readonly Warning[];
  readonly history: History;
  readonly names: WireNames;
  readonly named: NamedTools;
  readonly newId: () => string;
  readonly signal: AbortSignal;
  readonly idle: IdleLimits;
  readonly about: About;
  /** How a structured result is handed in; `besideCalls`: calls are not allowed, so one counts beside them too. */
  readonly submission: (Submission & { readonly besideCalls: boolean }) | undefined;
};

/** Sends a request once and streams its reply. Never throws: the `end` says what went wrong. */
export async function* requestOnce(attempt: Attempt): AsyncGenerator<ModelEvent> {
  const { model, modelId, call, history, names, newId } = attempt;
  const watch = watchSilence(attempt.idle, attempt.signal);
  const { signal } = watch;
  const events: ModelEvent[] = [];
  const opened = openNotes(model);
  const notes: WireNotes = opened ?? { warnings: [], lost: false };
  const emit = (event: ModelEvent) => {
    // Half a call must not look like a whole one to those who act before the reply has ended.
    if (isOfCall(event) && (notes.lost || ending.lost)) return;
    if (event.type !== "warning") events.push(event);
    // Some warnings quote what a provider sent.
    else if (isNews(event.message, history))
      events.push({ ...event, message: withoutSecrets(event.message, attempt.about.secrets) });
  };
  const reply = startReply(modelId);
  const own = callTracker(reply, names, history.callIds, newId, emit, attempt.named);
  const submitted = attempt.submission && submissionTracker(attempt.submission, own, emit);
  const calls = submitted ?? own;
  const { ending, take } = translator(reply, calls, emit);
  attempt.warnings.forEach(emit);
  call.warnings.forEach(emit);

  const blocks = blockWatch(model, calls, notes);
  const seen = blocks === undefined ? call.options : { ...call.options, includeRawChunks: true };
  const source = open(model, opened === undefined ? seen : withHeader(seen, opened.header), signal, (body) => {
    const unsent = unsentEffort(model, call, body);
    if (unsent !== undefined) emit(unsent);
  });
  let thrown: { readonly value: unknown } | undefined;
  let heard = false;
  try {
    for (;;) {
      for (const event of events) yield event;
      watch.wait(heard);
      events.length = 0;
      const { done, value } = await source.read();
      watch.came();
      if (done) break;
      heard = isContent(value);
      blocks?.saw(value);
      take(value);
      // Nothing of the reply comes behind it, and some streams stay open.
      if (value.type === "finish") break;
    }
  } catch (value) {
    thrown = { value };
  } finally {
    source.close();
    opened?.close();
    watch.close();
  }
  for (const { code, message } of notes.warnings) emit({ type: "warning", code, message });
  ending.lost ||= notes.lost;
  if (!signal.aborted && thrown === undefined) calls.close();
  if (submitted?.any === true && reply.hasCalls && attempt.submission?.besideCalls === false) emit(dropped);
  yield* events;
  yield end(reply, ending, thrown, { ...attempt, signal }, submitted);
}

const isOfCall = ({ type }: ModelEvent): boolean => type === "call_delta" || type === "call_end";

/** Whether a part says something of the reply, also one that nothing is told of yet. */
const isContent = (part: AiSdkPart): boolean =>
  /^(?:text|reasoning|tool-input)-delta$/.test(part.type)
    ? "delta" in part && part.delta !== ""
    : part.type === "tool-input-start" || part.type === "tool-call";

const dropped: ModelEvent = {
  type: "warning",
  code: "output_beside_calls",
  message: "The model gave its final result beside tool calls: the calls go first and the result was left out.",
};

/** A warning comes once per history, not once per round. */
function isNews(message: string, history: History): boolean {
  if (history.warned.has(message)) return false;
  history.warned.add(message);
  return true;
}

function end(
  reply: Reply,
  ending: Ending,
  thrown: { readonly value: unknown } | undefined,
  attempt: Attempt,
  submitted: SubmissionTracker | undefined,
): ModelEvent {
  const { model, signal, submission } = attempt;
  const usage = usageOf(ending.finish?.usage);
  const close = (stopReason: StopReason, error?: ModelFailure): ModelEvent => {
    const whole = reply.finish({ stopReason, usage });
    const message = submitted?.into(whole, submission?.besideCalls === true) ?? whole;
    return error === undefined
      ? { type: "end", message }
      : { type: "end", message, error: advised(error, attempt.about) };
  };
  const silence = silenceOf(signal);
  if (silence !== undefined) return close("error", silence);
  if (signal.aborted) return close("aborted", { kind: "aborted", message: "The request was aborted." });
  const failed = [thrown, ending.error].find((one) => one !== undefined && !isMereEnd(one.value));
  if (failed !== undefined) return close("error", failureOf(failed.value));

  const stopReason = endingOf(ending, attempt, reply.hasCalls, reply.hasCalls || submitted?.any === true);
  if (stopReason === "error") {
    const raw = ending.finish?.reason.raw ?? "error";
    return close("error", { kind: "unknown", message: `${model.provider} ended the reply with "${raw}".` });
  }
  const done = close(stopReason);
  const isNothing = done.type === "end" && done.message.content.length === 0 && usage.outputTokens === 0;
  // A stream that ends by itself before it said anything was not cut by a limit: nothing was served.
  if (stopReason === "length" && ending.finish?.reason.unified !== "length" && isNothing) {
    if (ending.unreadable !== undefined) return close("error", failureOf(ending.unreadable.value));
    return close("error", { kind: "transport", message: `${model.provider} closed the stream without a reply.` });
  }
  return done;
}

/** Why the reply ended. One that may lack a piece of a call was cut, whatever it says of itself. */
function endingOf(ending: Ending, { model }: Attempt, hasCalls: boolean, called: boolean): StopReason {
  const { finish, unreadable, lost } = ending;
  // Packages forget the reason when they could not read an event.
  const isForgotten = unreadable !== undefined && finish?.reason.unified === "error" && finish.reason.raw === undefined;
  if (finish === undefined || ending.error !== undefined || isForgotten) return "length";
  const stopReason = stopReasonOf(finish.reason, model.specificationVersion, hasCalls, isCounted(finish.usage));
  return lost === true && called && (stopReason === "stop" || stopReason === "tool_calls") ? "length" : stopReason;
}

const isCounted = (usage: LanguageModelV4Usage | undefined): boolean => usage?.outputTokens?.total !== undefined;

/** Some packages report a stream that merely ended as an error; everywhere else that is a cut reply. */
const isMereEnd = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  /ended without a finish reason|remain at end of stream/.test(String((error as Error).message));

type Source = {
  read(): Promise<
    { readonly done: false; readonly value: AiSdkPart } | { readonly done: true; readonly value?: undefined }
  >;
  close(): void;
};

const withHeader = (options: Call["options"], header: OpenNotes["header"]): Call["options"] => ({
  ...options,
  headers: { ...options.headers, ...header },
});

/** Opens the stream at the first read, and tells what body was sent. A fired signal ends it at once, whatever the model does about it. */
function open(
  model: LanguageModel,
  options: Call["options"],
  signal: AbortSignal,
  sent: (body: unknown) => void,
): Source {
  let reader: ReadableStreamDefaultReader<AiSdkPart> | undefined;
  let closed = false;
  let wake = () => {};
  const over = { done: true } as const;
  const aborted = new Promise<typeof over>((resolve) => {
    wake = () => resolve(over);
  });
  const quiet = () => {};
  const close = () => {
    closed = true;
    signal.removeEventListener("abort", close);
    wake();
    // Cancelling settles a pending read.
    reader?.cancel().catch(quiet);
  };
  signal.addEventListener("abort", close, { once: true });

  const connect = async (): Promise<void> => {
    // The two specifications differ in how prompts hold files, which the prompt was built for.
    const { stream, request } = await model.doStream({ ...options, abortSignal: signal } as never);
    sent(request?.body);
    reader = (stream as ReadableStream<AiSdkPart>).getReader();
    if (closed) reader.cancel().catch(quiet);
  };

  return {
    async read() {
      if (signal.aborted || closed) return over;
      if (reader === undefined) {
        const connecting = connect();
        connecting.catch(quiet);
        if ((await Promise.race([connecting.then(() => false), aborted.then(() => true)])) || reader === undefined)
          return over;
      }
      return (reader as ReadableStreamDefaultReader<AiSdkPart>).read() as ReturnType<Source["read"]>;
    },
    close,
  };
}
