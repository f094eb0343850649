import { type Body, foreign, isBlank, isObject, type Validator } from "./valid-parts.ts";

type Message = { readonly role: string; readonly content: readonly Body[] };

const images = /^image\/(png|jpeg|gif|webp)$/;

/** The Messages API of Anthropic: https://docs.claude.com/en/api/messages and its errors. */
export const validAnthropic: Validator = (body, who) => {
  const problems: string[] = [];
  const messages = body.messages as Message[];
  const ids = new Set<unknown>();
  if (messages[0]?.role !== "user") problems.push("the first message is not the user's");
  if (messages.at(-1)?.role === "assistant") problems.push("the last message is a reply");
  for (const [at, { role, content }] of messages.entries()) {
    const say = (problem: string) => problems.push(`messages.${at}: ${problem}`);
    if (messages[at - 1]?.role === role) say(`${role} twice in a row`);
    if (content.length === 0) say("no content");
    for (const block of content) for (const problem of blockProblems(block, who)) say(problem);
    for (const block of content) {
      if (block.type !== "tool_use") continue;
      if (ids.has(block.id)) say(`tool_use ids must be unique: ${block.id}`);
      ids.add(block.id);
    }
    if (/thinking/.test(String(content.at(-1)?.type)) && role === "assistant") say("the final block is thinking");
    const calls = content.filter((block) => block.type === "tool_use").map((block) => block.id);
    const next = messages[at + 1]?.content ?? [];
    const results = next.slice(0, calls.length).map((block) => block.tool_use_id);
    if (role === "assistant" && String(calls) !== String(results)) say("tool_use without tool_result right after");
    const previous = messages[at - 1]?.content ?? [];
    for (const block of content) {
      if (block.type !== "tool_result") continue;
      const its = previous.some((call) => call.type === "tool_use" && call.id === block.tool_use_id);
      if (!its) say(`unexpected tool_use_id ${block.tool_use_id}`);
    }
    const kinds = content.map((block) => block.type === "tool_result");
    if (kinds.lastIndexOf(true) > kinds.indexOf(false) && kinds.includes(false)) say("a result behind something else");
  }
  const points = JSON.stringify(body).match(/"cache_control":/g)?.length ?? 0;
  if (points > 4) problems.push(`A maximum of 4 blocks with cache_control may be provided. Found ${points}.`);
  if (isObject(body.thinking) && body.thinking.type === "enabled" && !turnThinks(messages)) {
    problems.push("Expected `thinking` or `redacted_thinking`, but found `tool_use`");
  }
  return problems;
};

function blockProblems(block: Body, who: string): string[] {
  const problems: string[] = [];
  const { type } = block;
  if (type === "text" && isBlank(block.text)) problems.push("text content blocks must contain non-whitespace text");
  if (type === "thinking" && foreign(block.signature, who)) problems.push("Invalid `signature` in `thinking` block");
  if (type === "redacted_thinking" && foreign(block.data, who)) problems.push("Invalid `data` in `redacted_thinking`");
  if (type === "image" && isObject(block.source) && block.source.type === "base64") {
    if (!images.test(String(block.source.media_type))) problems.push(`image of ${block.source.media_type}`);
  }
  if (type === "tool_use") {
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(block.id))) problems.push(`tool_use.id ${block.id}`);
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(block.name))) problems.push(`tool_use.name ${block.name}`);
    if (!isObject(block.input)) problems.push("tool_use.input is no object");
  }
  if (type === "tool_result") {
    const inner = typeof block.content === "string" ? [{ type: "text", text: block.content }] : block.content;
    for (const part of inner as Body[]) {
      problems.push(...blockProblems(part, who));
      if (block.is_error === true && part.type !== "text") problems.push("is_error with content that is not text");
    }
  }
  return problems;
}

/** The turn that is going on, if one is, began with thinking. */
function turnThinks(messages: readonly Message[]): boolean {
  let at = messages.length - 1;
  const isResult = (message: Message | undefined) => message?.content.some((block) => block.type === "tool_result");
  if (!isResult(messages[at])) return true;
  while (isResult(messages[at])) at -= 2;
  return /thinking/.test(String(messages[at + 1]?.content[0]?.type));
}
