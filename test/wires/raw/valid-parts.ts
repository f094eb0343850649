export type Body = Record<string, unknown>;

/**
 * What a provider refuses a request for, as far as its documentation and its error messages say; nothing if it takes it.
 * `who` names the model that is asked: signatures in these tests say which model gave them.
 */
export type Validator = (body: Body, who: string) => string[];

/** The value of JSON text; undefined for text that is none. */
export function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Body =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isBlank = (text: unknown): boolean => typeof text !== "string" || text.trim() === "";

/** Reasoning data that another model gave. */
export function foreign(data: unknown, who: string): boolean {
  return typeof data !== "string" || Buffer.from(data, "base64").toString("utf8") !== `by ${who}`;
}

/** What {@link foreign} tells apart; base64, as providers have it. */
export const signedBy = (who: string): string => Buffer.from(`by ${who}`).toString("base64");
