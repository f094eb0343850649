import type {
  AssistantContent,
  AssistantMessage,
  Message,
  ToolCall,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from "../../message/message.ts";
import { actionText } from "./prompt.ts";

type Rendered = {
  readonly messages: Message[];
  /** How much of the history is in it, and the last message of that. */
  length: number;
  last: Message | undefined;
  /** The last message without the notice that was sent behind it. */
  base: UserMessage | undefined;
  notice: string;
};

/**
 * Renders histories for models without tools: calls as the text that calls, results as user messages, user messages and
 * replies in turn, none empty. A history is one array that grows by its end, so each message is rendered once into an
 * array that grows the same way. A notice stays where it was sent, so that what has been read once is not changed.
 */
export function historyRenderer(): (messages: readonly Message[], notice: string) => readonly Message[] {
  const known = new WeakMap<readonly Message[], Rendered>();
  return (messages, notice) => {
    let state = known.get(messages);
    if (state === undefined || state.length > messages.length || messages[state.length - 1] !== state.last) {
      state = { messages: [], length: 0, last: undefined, base: undefined, notice: "" };
      known.set(messages, state);
    }
    // A notice with something behind it is part of what was sent, and stays.
    if (state.length < messages.length) state.notice = "";
    for (; state.length < messages.length; state.length++) {
      const message = messages[state.length]!;
      if (message.role === "assistant") addReply(state, message);
      else addSaid(state, message);
    }
    state.last = messages.at(-1);
    notify(state, notice);
    return state.messages;
  };
}

function addSaid(state: Rendered, message: UserMessage | ToolResultMessage): void {
  const { messages } = state;
  const last = messages.at(-1);
  const said: UserMessage = message.role === "user" ? message : { role: "user", content: resultContent(message) };
  if (said.content.length === 0) return;
  if (last?.role !== "user") messages.push(said);
  else messages[messages.length - 1] = { role: "user", content: joined(last.content, said.content, "\n\n") };
}

function addReply(state: Rendered, message: AssistantMessage): void {
  const { messages } = state;
  const content = replyContent(message.content);
  if (content.length === 0) return;
  const last = messages.at(-1);
  if (last?.role !== "assistant") messages.push({ ...message, content });
  else messages[messages.length - 1] = { ...message, content: [...last.content, ...content] };
}

/** Puts the notice behind the history, in place of another one that was sent with nothing new behind it. */
function notify(state: Rendered, notice: string): void {
  const { messages } = state;
  if (notice === state.notice) return;
  if (state.notice !== "") {
    if (state.base === undefined) messages.pop();
    else messages[messages.length - 1] = state.base;
  }
  state.notice = notice;
  if (notice === "") return;
  const last = messages.at(-1);
  state.base = last?.role === "user" ? last : undefined;
  if (state.base === undefined) messages.push({ role: "user", content: notice });
  else messages[messages.length - 1] = { role: "user", content: joined(state.base.content, notice, "\n\n") };
}

type Content = UserMessage["content"];

function joined(a: Content, b: Content, between: string): Content {
  if (typeof a === "string" && typeof b === "string") return `${a}${between}${b}`;
  const [before, behind] = [partsOf(a), partsOf(b)];
  const [last, first] = [before.at(-1), behind[0]];
  if (last?.type !== "text" || first?.type !== "text" || last.providerData !== undefined) return [...before, ...behind];
  return [...before.slice(0, -1), { ...first, text: `${last.text}${between}${first.text}` }, ...behind.slice(1)];
}

const partsOf = (content: Content): readonly UserContent[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

/** A reply with its calls as text. Thoughts stay out, but for those that a provider wants back. */
function replyContent(content: readonly AssistantContent[]): AssistantContent[] {
  const kept: AssistantContent[] = [];
  let text = "";
  for (const part of content) {
    if (part.type === "tool_call") text += `${text === "" ? "" : "\n"}${actionText(part.name, argumentsOf(part))}`;
    else if (part.type === "text") text += part.text;
    else if (part.providerData !== undefined) kept.push(part);
  }
  return text === "" ? kept : [...kept, { type: "text", text }];
}

/** Arguments as they were written, if they are JSON. */
function argumentsOf(call: ToolCall): string {
  if (call.partial === true) return "{}";
  try {
    JSON.parse(call.arguments);
    return call.arguments;
  } catch {
    return "{}";
  }
}

/** What would end a result, or begin a call or another result, if a model took it for a mark. */
const marks =
  /<(?=[\s/|]{0,4}(?:tool|function)[\s_-]?(?:call|result|response|output|use)|\/?function\s*=|\|python_tag)/gi;

/** Results are data: marks in them are none, and a `<` that would make one stands as `&lt;`. */
const escaped = (text: string): string => text.replace(marks, "&lt;").replaceAll("[TOOL_CALLS]", "[TOOL&#95;CALLS]");

function resultContent({ toolName, content, isError }: ToolResultMessage): Content {
  const name = toolName.replace(/[^\p{L}\p{N}_.:/ -]/gu, "_");
  const head = `<tool_result name="${name}"${isError ? ' error="true"' : ""}>\n`;
  const tail = "\n</tool_result>";
  let parts: Content = head;
  let text = "";
  for (const part of content) {
    if (part.type === "text") text += part.text;
    else if (part.type === "json") text += JSON.stringify(part.value);
    else {
      parts = joined(joined(parts, escaped(text), ""), [part], "");
      text = "";
    }
  }
  return joined(parts, `${escaped(text)}${tail}`, "");
}
