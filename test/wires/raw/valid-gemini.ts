import { type Body, foreign, isObject, type Validator } from "./valid-parts.ts";

type Content = { readonly role: string; readonly parts: readonly Body[] };

/** Documented for calls without a signature: https://ai.google.dev/gemini-api/docs/thought-signatures */
const bypass = "skip_thought_signature_validator";

/** Contents of Gemini: https://ai.google.dev/api/generate-content and its errors. */
export const validGemini: Validator = (body, who) => {
  const problems: string[] = [];
  const contents = body.contents as Content[];
  if (contents[0]?.role !== "user") problems.push("the first content is not the user's");
  for (const [at, { role, parts }] of contents.entries()) {
    const say = (problem: string) => problems.push(`contents.${at}: ${problem}`);
    if (parts.length === 0) say("parts must not be empty");
    if (role === "model" && contents[at - 1]?.role === "model") say("two replies in a row");
    for (const part of parts) {
      if (part.text === "" && part.thoughtSignature === undefined) say("an empty part");
      const signature = part.thoughtSignature;
      if (signature !== undefined && signature !== bypass && foreign(signature, who))
        say("Thought signature is not valid");
      if (isObject(part.functionCall)) {
        if (!/^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/.test(String(part.functionCall.name))) say("the name of a function");
        if (!isObject(part.functionCall.args)) say("args that are no object");
      }
    }
    const calls = parts.flatMap(({ functionCall }) =>
      isObject(functionCall) ? `${functionCall.id} ${functionCall.name}` : [],
    );
    const next = (contents[at + 1]?.parts ?? []).flatMap(({ functionResponse: response }) =>
      isObject(response) ? `${response.id} ${response.name}` : [],
    );
    if (role === "model" && String(calls) !== String(next)) {
      say(
        "the number of function response parts is equal to the number of function call parts of the function call turn",
      );
    }
    const answers = parts.filter((part) => part.functionResponse !== undefined);
    if (answers.length > 0 && answers.length < parts.length) say("function responses mixed with other parts");
    if (answers.length > 0 && !contents[at - 1]?.parts.some((part) => part.functionCall !== undefined)) {
      say("a function response turn comes immediately after a function call turn");
    }
    const first = parts.find((part) => part.functionCall !== undefined);
    if (/gemini-3/.test(who) && first !== undefined && first.thoughtSignature === undefined) {
      say("Function call is missing a thought_signature in functionCall parts");
    }
  }
  return problems;
};
