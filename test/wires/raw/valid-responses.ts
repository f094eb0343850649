import { type Body, foreign, isBlank, isObject, parsed, type Validator } from "./valid-parts.ts";

/** Items of OpenAI's Responses: https://platform.openai.com/docs/api-reference/responses/create and its errors. */
export const validResponses: Validator = (body, who) => {
  const problems: string[] = [];
  const items = body.input as Body[];
  const ids = new Set<unknown>();
  let open: unknown[] = [];
  if (((body.tools ?? []) as Body[]).length > 128) problems.push("Invalid 'tools': array too long.");
  for (const [at, item] of items.entries()) {
    const say = (problem: string) => problems.push(`input.${at}: ${problem}`);
    const { type, role } = item;
    if (type === "item_reference" && body.store === false) say(`Item with id '${item.id}' not found.`);
    if (type === "function_call") {
      const { call_id: id, name, arguments: args } = item;
      if (typeof id !== "string" || id === "" || id.length > 64) say(`call_id ${id}: expected a length of 1 to 64`);
      if (ids.has(id)) say(`duplicate call_id ${id}`);
      ids.add(id);
      open.push(id);
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(name))) say(`name ${name}`);
      if (!isObject(parsed(args))) say("arguments that are no object");
    } else if (type === "function_call_output") {
      if (open[0] !== item.call_id) say(`No tool call found for function call output with call_id ${item.call_id}`);
      open = open.slice(1);
      if (typeof item.output === "string" ? item.output === "" : (item.output as Body[]).length === 0) say("no output");
    } else {
      // A reply may say something beside its calls; whatever else comes has to wait for the results.
      if (open.length > 0 && role !== "assistant" && type !== "reasoning") say(`no tool output found for ${open}`);
      if (role === "assistant" && isBlank(item.content)) say("a message without text");
      if (role === "user") for (const part of item.content as Body[]) if (part.text === "") say("empty text");
    }
    if (type === "reasoning") {
      const next = items[at + 1];
      if (foreign(item.encrypted_content, who)) say(`The encrypted content for item ${item.id} could not be verified.`);
      if (next === undefined || (next.role !== "assistant" && !/^(function_call|reasoning)$/.test(String(next.type)))) {
        say(`Item '${item.id}' of type 'reasoning' was provided without its required following item.`);
      }
    }
  }
  if (open.length > 0) problems.push(`No tool output found for function call ${open}`);
  return problems;
};
