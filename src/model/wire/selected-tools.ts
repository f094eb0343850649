/**
 * A choice of several tools, which some wires take and their packages do not say. The names travel in a header of our own
 * from the adapter to our `fetch`, which takes it off and writes them into the body.
 */
const header = "x-rondo-selected-tools";

/** Headers that carry these names. */
export const selecting = (names: readonly string[]): { readonly [name: string]: string } => ({
  [header]: names.map(encodeURIComponent).join(","),
});

type Body = { tools?: unknown; tool_choice?: unknown; toolConfig?: unknown };

/** How a wire says that one of these tools has to be picked. */
export type Select = (body: Body, names: readonly string[]) => Body;

/** OpenAI chat completions (https://platform.openai.com/docs/api-reference/chat/create, `tool_choice`, allowed tools). */
export const selectInChat: Select = (body, names) => {
  const tools = names.map((name) => ({ type: "function", function: { name } }));
  return { ...body, tool_choice: { type: "allowed_tools", allowed_tools: { mode: "required", tools } } };
};

/** Gemini (https://ai.google.dev/api/caching#FunctionCallingConfig). */
export const selectInContents: Select = (body, names) => ({
  ...body,
  toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: names } },
});

/** The request as it goes out: without our header, and with the names in its body where it had one. */
export function selected(init: RequestInit, select: Select): RequestInit {
  const headers = new Headers(init.headers);
  const names = headers.get(header);
  if (names === null) return init;
  headers.delete(header);
  if (typeof init.body !== "string") return { ...init, headers };
  const body = select(JSON.parse(init.body), names.split(",").map(decodeURIComponent));
  return { ...init, headers, body: JSON.stringify(body) };
}
