import { plainJson } from "./plain-json.ts";
import { wellFormed } from "./well-formed.ts";

/** How many causes are followed, and how many errors of an AggregateError are told. */
const maxCauses = 3;
const maxErrors = 10;

/** Names that say nothing beside the message. */
const plainNames: readonly unknown[] = ["Error", "RondoError", "AggregateError"];

/**
 * What was thrown, in words for the model: the message with its causes and the errors it gathers, never a stack.
 * Text stays text; an object without a message is told as JSON. `""` if it says nothing. Never throws.
 */
export function thrownText(thrown: unknown): string {
  try {
    const text = describe(thrown, 0);
    return text.trim() === "" ? "" : wellFormed(text);
  } catch {
    return "";
  }
}

/**
 * What was thrown, for a sentence of ours: the message of an error alone, else as {@link thrownText}; what says nothing is
 * named by its type, so it is never empty. Never throws.
 */
export function thrownMessage(thrown: unknown): string {
  const message = isError(thrown) ? textField(thrown, "message") : "";
  if (message !== "") return message;
  if (thrown === undefined || thrown === null) return `${thrown}`;
  return thrownText(thrown) || (isError(thrown) ? "an error without a message" : `a value of type ${typeof thrown}`);
}

/** `instanceof Error` for anything: a proxy may throw when that is asked of it. */
export function isError(thrown: unknown): thrown is Error {
  try {
    return thrown instanceof Error;
  } catch {
    return false;
  }
}

function describe(thrown: unknown, depth: number): string {
  if (typeof thrown === "string") return thrown;
  if (typeof thrown === "function" || thrown === undefined || thrown === null) return "";
  if (typeof thrown !== "object") return String(thrown);
  const lines = [messageOf(thrown)];
  const cause = read(thrown, "cause");
  if (cause !== undefined && depth < maxCauses) {
    const text = describe(cause, depth + 1);
    if (text !== "" && !lines[0]?.includes(text)) lines.push(`Cause: ${text}`);
  }
  const errors = read(thrown, "errors");
  if (Array.isArray(errors) && depth < maxCauses) {
    for (const error of errors.slice(0, maxErrors)) lines.push(`- ${describe(error, depth + 1) || "no message"}`);
    if (errors.length > maxErrors) lines.push(`- ${errors.length - maxErrors} more`);
  }
  return lines.filter((line) => line !== "").join("\n");
}

function messageOf(thrown: object): string {
  const message = textField(thrown, "message");
  if (message !== "") {
    const name = read(thrown, "name");
    return typeof name === "string" && name !== "" && !plainNames.includes(name) ? `${name}: ${message}` : message;
  }
  if (isError(thrown)) return "";
  const error = read(thrown, "error");
  if (typeof error === "string") return error;
  const inner = typeof error === "object" && error !== null ? textField(error, "message") : "";
  return inner === "" ? jsonText(thrown) : inner;
}

function jsonText(thrown: object): string {
  const json = plainJson(thrown);
  const text = typeof json === "string" ? json : JSON.stringify(json);
  return text === undefined || text === "{}" || text === "[]" || text === "null" ? "" : text;
}

function textField(holder: object, key: string): string {
  const value = read(holder, key);
  return typeof value === "string" && value.trim() !== "" ? value : "";
}

/** A getter that throws must not hide the rest. */
function read(holder: object, key: string): unknown {
  try {
    return (holder as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}
