import { type Body, foreign, isBlank, isObject, type Validator } from "./valid-parts.ts";

type Message = { readonly role: string; readonly content: readonly Body[] };

/** Converse of Bedrock: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html and its errors. */
export const validBedrock: Validator = (body, who) => {
  const problems: string[] = [];
  const messages = body.messages as Message[];
  const ids = new Set<unknown>();
  if (messages[0]?.role !== "user") problems.push("a conversation must start with a user message");
  if (messages.at(-1)?.role !== "user") problems.push("the conversation must end with a user message");
  for (const [at, { role, content }] of messages.entries()) {
    const say = (problem: string) => problems.push(`messages.${at}: ${problem}`);
    if (messages[at - 1]?.role === role) say("roles must alternate between user and assistant");
    if (content.length === 0) say("the content field is empty");
    for (const block of content) for (const problem of blockProblems(block, who)) say(problem);
    if (role === "assistant" && content.at(-1)?.reasoningContent !== undefined) say("the final block is reasoning");
    const calls = content.flatMap((block) => (isObject(block.toolUse) ? block.toolUse.toolUseId : []));
    for (const id of calls) {
      if (ids.has(id)) say(`toolUse ids must be unique: ${id}`);
      ids.add(id);
    }
    const results = (messages[at + 1]?.content ?? [])
      .slice(0, calls.length)
      .map(({ toolResult }) => (isObject(toolResult) ? toolResult.toolUseId : undefined));
    if (role === "assistant" && String(calls) !== String(results)) say("Expected toolResult blocks for its toolUse");
    if (role === "user") {
      const open = (messages[at - 1]?.content ?? []).flatMap(({ toolUse }) => (isObject(toolUse) ? [toolUse] : []));
      const given = content.filter((block) => block.toolResult !== undefined);
      if (given.length !== open.length) say("the number of toolResult blocks is not that of the toolUse blocks");
    }
  }
  problems.push(...documentProblems(messages), ...markProblems(messages));
  const points = JSON.stringify(body).match(/"cachePoint":/g)?.length ?? 0;
  if (points > 4) problems.push(`${points} cache points, and 4 are the most`);
  if (points > 0 && !/claude|nova/.test(who)) problems.push("this model takes no cachePoint");
  if (ids.size > 0 && !isObject(body.toolConfig)) {
    problems.push("The toolConfig field must be defined when using toolUse and toolResult content blocks.");
  }
  const config = (body.additionalModelRequestFields as Body | undefined)?.thinking;
  if (isObject(config) && config.type === "enabled" && !turnThinks(messages)) {
    problems.push("Expected `thinking` or `redacted_thinking`, but found `tool_use`");
  }
  return problems;
};

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html and API_runtime_DocumentBlock.html */
function documentProblems(messages: readonly Message[]): string[] {
  const problems: string[] = [];
  const names = new Set<string>();
  for (const { content } of messages) {
    const documents = content.flatMap(({ document }) => (isObject(document) ? [document] : []));
    if (documents.length > 0 && !content.some(({ text }) => text !== undefined))
      problems.push("documents without text");
    for (const { name } of documents) {
      if (!/^(?!.*\s\s)[A-Za-z0-9\s()[\]-]{1,200}$/.test(String(name))) problems.push(`document name ${name}`);
      if (names.has(String(name))) problems.push(`Messages can't contain duplicate document names: ${name}`);
      names.add(String(name));
    }
  }
  return problems;
}

/** What it says of marks for its cache (strands-agents/harness-sdk#1966 and #3677, anomalyco/opencode#36517). */
function markProblems(messages: readonly Message[]): string[] {
  return messages.flatMap(({ content }, at) =>
    content.flatMap(({ cachePoint }, index) => {
      if (cachePoint === undefined) return [];
      const before = content[index - 1];
      if (before === undefined) return [`messages.${at}: There is nothing available to cache.`];
      if (before.document !== undefined || before.video !== undefined)
        return [`messages.${at}.content.${index}.type: Field required`];
      if (before.reasoningContent !== undefined) return ["Cache point cannot be inserted after reasoning block."];
      return [];
    }),
  );
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolResultContentBlock.html for images in results. */
function blockProblems(block: Body, who: string): string[] {
  const problems: string[] = [];
  if (block.text !== undefined && isBlank(block.text)) problems.push("The text field in the ContentBlock is blank");
  if (isObject(block.image) && !/^(png|jpeg|gif|webp)$/.test(String(block.image.format))) problems.push("image format");
  if (isObject(block.toolUse)) {
    const { toolUseId, name, input } = block.toolUse;
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(toolUseId))) problems.push(`toolUseId ${toolUseId}`);
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(name))) problems.push(`toolUse.name ${name}`);
    if (!isObject(input)) problems.push("toolUse.input is no object");
  }
  if (isObject(block.toolResult)) {
    const content = block.toolResult.content as Body[];
    if (content.length === 0) problems.push("toolResult.content is empty");
    for (const part of content) {
      problems.push(...blockProblems(part, who));
      if (part.image !== undefined && !/claude|nova/.test(who))
        problems.push("this model takes no image in a toolResult");
    }
  }
  if (isObject(block.reasoningContent)) {
    const { reasoningText, redactedContent } = block.reasoningContent;
    const data = isObject(reasoningText) ? reasoningText.signature : redactedContent;
    if (foreign(data, who)) problems.push("Invalid `signature` in `thinking` block");
  }
  return problems;
}

function turnThinks(messages: readonly Message[]): boolean {
  let at = messages.length - 1;
  const isResult = (message: Message | undefined) => message?.content.some((block) => block.toolResult !== undefined);
  if (!isResult(messages[at])) return true;
  while (isResult(messages[at])) at -= 2;
  return messages[at + 1]?.content[0]?.reasoningContent !== undefined;
}
