import { withoutSecrets } from "../message/redact.ts";
import type { ModelFailure } from "./model.ts";

/** What is known of a model that helps to say what to do when it fails. */
export type About = {
  readonly id: string;
  /** Sets of environment variables, any one of which holds its key; absent where that is not known. */
  readonly keys?: readonly (readonly string[])[];
  /** What must not be told, such as its key. */
  readonly secrets?: readonly string[];
};

/** The failure with what to do about it, for those that somebody has to do something about, and without secrets. */
export function advised(failure: ModelFailure, about: About): ModelFailure {
  const message = withoutSecrets(failure.message, about.secrets);
  const advice = adviceOn(failure, about);
  if (advice === undefined) return message === failure.message ? failure : { ...failure, message };
  return { ...failure, message: `${ended(message)} ${advice}` };
}

function adviceOn({ kind, status, message }: ModelFailure, about: About): string | undefined {
  if (kind === "auth") return `Check ${keyOf(about)} and what it may use.`;
  if (kind === "quota") return "Waiting does not help: check plan, billing and limits of the account.";
  if (kind === "context_overflow") return "Shorten the prompt or the history, or take a model with a larger context.";
  if (kind === "transport" && message.includes("ECONNREFUSED")) {
    return about.id.startsWith("ollama/")
      ? "Start Ollama with: ollama serve"
      : "Is the server running, and the address right?";
  }
  const name = about.id.replace(/^(?:https?:.*#|[^/]*\/)/, "");
  if (status === 404 && !message.includes(name)) return `Is there a model ${JSON.stringify(name)}?`;
  return undefined;
}

export const keyNames = (keys: readonly (readonly string[])[]): string =>
  keys.map((set) => set.join(" and ")).join(", or ");

const keyOf = ({ keys = [] }: About): string => (keys.length === 0 ? "the key" : `the key in ${keyNames(keys)}`);

const ended = (text: string): string => (/[.!?…)]$/.test(text) ? text : `${text}.`);
