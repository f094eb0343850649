import { cleanJson } from "./clean-json.ts";
import { heldAtCut, withoutPieces } from "./cut-secrets.ts";
import { ownSecrets, type Secret, secretsOf } from "./environment-secrets.ts";
import type { Json } from "./json.ts";
import type { ToolResultContent } from "./message.ts";
import { withoutLooks } from "./secrets.ts";

/*
 * Everything that takes secrets out of something. What people and logs read (errors, warnings, the command's output) loses
 * the values of secret variables and all that looks like a key. What a model reads as a tool's result loses the values of
 * this process's secret variables and nothing else: a model edits files by quoting them, so what only looks like a
 * key must come through unchanged.
 */

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

const withoutValues = (text: string, secrets: readonly Secret[]): string => {
  let clean = text;
  for (const { value } of secrets) clean = clean.replaceAll(value, "[redacted]");
  return clean;
};

/**
 * A text for people and logs: without these values, the values of this process's variables that are named like a key,
 * token, secret or password, what is left of either at a cut (`…`), keys that can be told by their looks, credentials in
 * addresses and their queries, and what stands behind the names of secret headers.
 */
export function withoutSecrets(text: string, values: readonly string[] = []): string {
  const secrets =
    values.length === 0 ? ownSecrets() : [...values.map((value) => ({ name: "", value })), ...ownSecrets()];
  const whole = withoutValues(text, secrets);
  return withoutLooks(withoutPieces(whole, heldAtCut(whole, secrets), () => "[redacted]"));
}

/** As {@link withoutSecrets}, of another environment too. No net for secrets that a model spells out itself. */
export function redactor(env: { readonly [name: string]: string | undefined }): Redact {
  const values = valueRedactor(env);
  return (text) => withoutSecrets(values(text));
}

/** Takes out nothing but the values of secret variables of an environment: who writes a text does not know them, and can hide nothing by it. */
export function valueRedactor(env: { readonly [name: string]: string | undefined }): Redact {
  const secrets = secretsOf(env);
  return (text) => withoutValues(text, secrets);
}

/** Words and dates: as values of a variable they are no secret worth keeping, and they stand in half of all texts. */
const isCommon = (value: string): boolean => /^(?:[a-z]{8,11}|[a-z]+(?:[_-][a-z]+)+|\d{8,15})$/.test(value);

const placeholder = (name: string): string => `[redacted: ${name}]`;

/**
 * A tool's result as a model may read it: instead of the exact value of one of this process's secret variables stands
 * `[redacted: NAME]`, in texts and in JSON; in texts also instead of what is left of one at a cut (`…`). The very same content if there is none, as nearly always. Values that
 * are a common word (`postgres`), an identifier in small letters or a number stay: they would garble what is no secret.
 */
export function withoutOwnSecrets(content: readonly ToolResultContent[]): readonly ToolResultContent[] {
  const kept = ownSecrets().filter(({ value }) => !isCommon(value));
  if (kept.length === 0) return content;
  const cleaned = content.map((part): ToolResultContent => {
    if (part.type === "image") return part;
    const found = kept.filter(({ value }) => holds(part, value));
    const cut = part.type === "text" ? heldAtCut(part.text, kept) : [];
    if (found.length === 0 && cut.length === 0) return part;
    const clean = (text: string) =>
      found.reduce((rest, one) => rest.replaceAll(one.value, () => placeholder(one.name)), text);
    return part.type === "text"
      ? { ...part, text: withoutPieces(clean(part.text), cut, placeholder) }
      : { type: "json", value: cleanJson(part.value, clean) };
  });
  return cleaned.some((part, i) => part !== content[i]) ? cleaned : content;
}

const holds = (part: Exclude<ToolResultContent, { type: "image" }>, value: string): boolean =>
  part.type === "text" ? part.text.includes(value) : jsonHolds(part.value, value);

function jsonHolds(json: Json | undefined, value: string): boolean {
  if (typeof json === "string") return json.includes(value);
  if (typeof json !== "object" || json === null) return typeof json === "number" && String(json).includes(value);
  return Object.entries(json).some(([key, field]) => key.includes(value) || jsonHolds(field, value));
}

/** The variable whose value {@link withoutOwnSecrets} leaves out of the first text, and which the second one does not have. */
export function lostOf(before: string, after: string): string | undefined {
  return ownSecrets().find(({ value }) => !isCommon(value) && before.includes(value) && !after.includes(value))?.name;
}

/** The variable whose value {@link withoutOwnSecrets} has left out of this text: written back it would be lost. */
export function leftOutOf(text: string): string | undefined {
  if (!text.includes("[redacted: ")) return undefined;
  return ownSecrets().find(({ name }) => text.includes(placeholder(name)))?.name;
}
