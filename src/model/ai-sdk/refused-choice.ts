import type { ModelEvent, ModelFailure, ModelRequest } from "../model.ts";
import { askedAgain } from "./asked-again.ts";

/**
 * How a choice that forces a call is said: in words that a provider has beyond the common ones, which name several tools or
 * leave the others declared; in those that all have; or not at all.
 */
export type ChoiceWords = "own" | "plain" | "unforced";

/** What the runs of one model have learned about forced choices; a run's `messages` are one array, round after round. */
export type ChoiceMemory = {
  wordsFor(messages: ModelRequest["messages"]): ChoiceWords;
  /** Streams a request, and once or twice more where its choice is refused. `sent` tells how the last one said it; undefined: it forced nothing. */
  around(
    messages: ModelRequest["messages"],
    sent: () => Exclude<ChoiceWords, "unforced"> | undefined,
    ask: () => AsyncIterable<ModelEvent>,
  ): AsyncIterable<ModelEvent>;
};

/**
 * Which models take a forced choice is not known beforehand: some refuse it while they think (DeepSeek, Qwen), some always,
 * and some take only the plain words. The loop asks once more if a reply holds no call all the same.
 */
export function choiceMemory(id: string): ChoiceMemory {
  const learned = new WeakMap<ModelRequest["messages"], ChoiceWords>();

  return {
    wordsFor: (messages) => learned.get(messages) ?? "own",
    around(messages, sent, ask) {
      const mended = (error: ModelFailure): ModelEvent | undefined => {
        const said = sent();
        if (said === undefined || !isRefusal(error)) return undefined;
        const words = said === "own" ? "plain" : "unforced";
        learned.set(messages, words);
        return warning(id, words, error);
      };
      return askedAgain(() => askedAgain(ask, mended), mended);
    },
  };
}

/** The field by any name that a provider has for it. */
const names = /tool[\s_-]?choice|allowed[\s_-]?(?:tools|function)|function_?calling_?config|forced? tool|tool_config/i;

const isRefusal = ({ kind, message }: ModelFailure): boolean =>
  (kind === "invalid" || kind === "overloaded" || kind === "unknown") && names.test(message);

const warning = (id: string, words: ChoiceWords, { message }: ModelFailure): ModelEvent => ({
  type: "warning",
  code: "choice_refused",
  message: `${id} does not take this choice of tools and is asked ${
    words === "plain" ? "in plainer words" : `with "auto"`
  } for the rest of the run. It said: ${message.slice(0, 200)}`,
});
