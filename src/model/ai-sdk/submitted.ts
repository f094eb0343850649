import type { AssistantContent, AssistantMessage, ReasoningContent } from "../../message/message.ts";
import type { ModelEvent } from "../model.ts";
import { type CallArguments, callArguments } from "./call-arguments.ts";
import type { CallTracker, FinalCall } from "./call-tracker.ts";
import { type Submission, submittedText } from "./submission.ts";

type Submitted = {
  readonly wireId: string;
  readonly args: CallArguments;
  input: string;
  readonly streamed: boolean;
  ended: boolean;
};

/** Follows the calls of one reply, of which those of the submission tool become text. */
export type SubmissionTracker = CallTracker & {
  /** Whether anything was submitted. */
  readonly any: boolean;
  /**
   * The reply with what was submitted last as its text, and no call of it. Beside other calls it is left out, unless
   * `besideCalls`.
   */
  into(message: AssistantMessage, besideCalls: boolean): AssistantMessage;
};

/** Calls of other tools go on to `calls`. */
export function submissionTracker(
  submission: Submission,
  calls: CallTracker,
  emit: (event: ModelEvent) => void,
): SubmissionTracker {
  const all: Submitted[] = [];
  // Ids may be missing, doubled or used again: what began last under an id owns it.
  const ours = new Map<string, Submitted>();
  const isOurs = (wireName: string) => wireName === submission.tool.name;

  const say = (delta: string) => {
    if (delta !== "") emit({ type: "text", delta });
  };
  const begin = (wireId: string, streamed: boolean): Submitted => {
    const begun = { wireId, args: callArguments(), input: "", streamed, ended: false };
    all.push(begun);
    return begun;
  };
  const end = (one: Submitted, input: string) => {
    const streamed = one.streamed && !submission.wrapped && one.input !== "";
    const { rest, text } = one.args.end(input);
    one.input = text;
    one.ended = true;
    say(streamed ? rest : submittedText(submission, text));
  };
  const final = ({ wireId, input }: FinalCall) => {
    const open = ours.get(wireId);
    if (open !== undefined && !open.ended) end(open, input);
    // The same call told twice is one call.
    else if (!all.some((one) => wireId !== "" && one.wireId === wireId && one.input === input)) {
      end(begin(wireId, false), input);
    }
  };

  return {
    start(wireId, wireName) {
      if (isOurs(wireName)) ours.set(wireId, begin(wireId, true));
      else {
        ours.delete(wireId);
        calls.start(wireId, wireName);
      }
    },
    delta(wireId, delta) {
      const one = ours.get(wireId);
      if (one === undefined) return calls.delta(wireId, delta);
      if (one.ended) return;
      one.input += delta;
      const news = one.args.push(delta);
      if (!submission.wrapped) say(news);
    },
    inputEnd(wireId) {
      if (!ours.has(wireId)) calls.inputEnd(wireId);
    },
    final(call) {
      if (isOurs(call.wireName)) final(call);
      else calls.final(call);
    },
    close: calls.close,
    get any() {
      return all.length > 0;
    },
    into(message, besideCalls) {
      const last = all.at(-1);
      if (last === undefined) return message;
      // Blank arguments are an empty object, as with any tool, unless they were cut before they began.
      const isEmpty = last.input.trim() === "" && last.ended && message.stopReason !== "length";
      return withText(message, isEmpty ? "{}" : submittedText(submission, last.input), besideCalls);
    },
  };
}

function withText(message: AssistantMessage, text: string, besideCalls: boolean): AssistantMessage {
  const calls = message.content.filter((part) => part.type === "tool_call");
  if (calls.length > 0 && !besideCalls) return message;
  const stopReason = message.stopReason === "tool_calls" && calls.length === 0 ? "stop" : message.stopReason;
  if (text === "") return { ...message, stopReason };
  const reasoning = message.content.filter(isFreeReasoning);
  // What else was said stays out: the text is the result, however a value looks.
  const content: AssistantContent[] = [...reasoning, { type: "text", text }, ...calls];
  return { ...message, content, stopReason };
}

/** Reasoning but items of the provider, which it takes back only in front of the very item that they led to. */
const isFreeReasoning = (part: AssistantContent): part is ReasoningContent =>
  part.type === "reasoning" && !Object.values(part.providerData ?? {}).some(isItem);

const isItem = (fields: unknown): boolean => typeof fields === "object" && fields !== null && "itemId" in fields;
