import { type Body, isBlank, isObject, parsed, type Validator } from "./valid-parts.ts";

type Call = { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } };

/** Chat completions: https://platform.openai.com/docs/api-reference/chat/create and its errors. */
export const validChat: Validator = (body, who) => {
  const problems: string[] = [];
  const messages = body.messages as Body[];
  const ids = new Set<string>();
  let open: string[] = [];
  if (/^(openai|azure)/.test(who) && ((body.tools ?? []) as Body[]).length > 128)
    problems.push("Invalid 'tools': array too long. Expected an array with maximum length 128.");
  for (const [at, message] of messages.entries()) {
    const say = (problem: string) => problems.push(`messages.${at}: ${problem}`);
    const { role, content } = message;
    if (role === "tool") {
      const id = open.shift();
      if (id === undefined) say("role 'tool' must be a response to a preceding message with 'tool_calls'");
      else if (id !== message.tool_call_id) say(`the result of ${id} was expected, not of ${message.tool_call_id}`);
      if (typeof content !== "string" || content === "") say("a tool message needs text");
      continue;
    }
    if (open.length > 0) say("'tool_calls' must be followed by tool messages responding to each 'tool_call_id'");
    open = [];
    // Servers of Mistral's models check the order with its own library (mistralai/mistral-common#169).
    if (role === "user" && /mistral/.test(who) && messages[at - 1]?.role === "tool")
      say("Unexpected role 'user' after role 'tool'");
    if (role === "user") problems.push(...userProblems(content, at));
    if (role !== "assistant") continue;
    const calls = (message.tool_calls ?? []) as Call[];
    if (calls.length === 0 && isBlank(content)) say("an assistant message needs content or calls");
    if (content !== null && isBlank(content)) say("content is blank and not null");
    if (message.tool_calls !== undefined && calls.length === 0) say("tool_calls is empty");
    for (const call of calls) {
      if (call.id.length === 0 || call.id.length > 40) say(`id ${call.id}: expected a length of 1 to 40`);
      if (ids.has(call.id)) say(`duplicate tool_call id ${call.id}`);
      ids.add(call.id);
      open.push(call.id);
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(call.function.name)) say(`name ${call.function.name}`);
      if (!isObject(parsed(call.function.arguments))) say("arguments that are no object");
    }
  }
  if (open.length > 0) problems.push("the last calls have no results");
  return problems;
};

function userProblems(content: unknown, at: number): string[] {
  if (typeof content === "string") return content === "" ? [`messages.${at}: empty`] : [];
  const parts = content as Body[];
  if (parts.length === 0) return [`messages.${at}: no content`];
  return parts.flatMap((part) => {
    if (part.type === "text" && part.text === "") return [`messages.${at}: empty text`];
    const url = isObject(part.image_url) ? String(part.image_url.url) : "https:";
    return /^(https:|data:image\/(png|jpeg|gif|webp);base64,)/.test(url)
      ? []
      : [`messages.${at}: image ${url.slice(0, 30)}`];
  });
}
