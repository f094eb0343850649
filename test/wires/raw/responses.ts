import { defaultUsage, type Said } from "./said.ts";

type Item = Record<string, unknown>;

/** OpenAI Responses. A block of prose ends where one of another kind begins. */
export function responses(said: readonly Said[]): string[] {
  const events: string[] = [];
  let sequence = 0;
  const say = (type: string, fields: object) =>
    events.push(JSON.stringify({ type, sequence_number: sequence++, ...fields }));
  const items: Item[] = [];
  const calls = new Map<number, number>();
  let open: number | undefined;

  const added = (item: Item) => {
    items.push(item);
    say("response.output_item.added", { output_index: items.length - 1, item });
    return items.length - 1;
  };
  const done = (at: number, more: Item) => {
    items[at] = { ...items[at], status: "completed", ...more };
    say("response.output_item.done", { output_index: at, item: items[at] });
  };
  const closeProse = (more: Item = {}) => {
    if (open === undefined) return;
    const item = items[open] as Item;
    if (item.type === "reasoning") {
      say("response.reasoning_summary_part.done", { item_id: item.id, output_index: open, summary_index: 0 });
      done(open, { summary: [{ type: "summary_text", text: item.text }], text: undefined, ...more });
    } else {
      const content = [{ type: "output_text", text: item.text, annotations: [], logprobs: [] }];
      done(open, { content, text: undefined });
    }
    open = undefined;
  };
  const prose = (type: "message" | "reasoning", delta: string) => {
    if (open === undefined || items[open]?.type !== type) {
      closeProse();
      const id = `${type === "message" ? "msg" : "rs"}_${items.length}`;
      open = added(
        type === "message"
          ? { type, id, role: "assistant", status: "in_progress", content: [], text: "" }
          : { type, id, summary: [], text: "" },
      );
      if (type === "reasoning") {
        const part = { type: "summary_text", text: "" };
        say("response.reasoning_summary_part.added", { item_id: id, output_index: open, summary_index: 0, part });
      }
    }
    const item = items[open] as Item;
    item.text = `${item.text}${delta}`;
    const where = { item_id: item.id, output_index: open };
    if (type === "message") say("response.output_text.delta", { ...where, content_index: 0, delta });
    else say("response.reasoning_summary_text.delta", { ...where, summary_index: 0, delta });
  };

  say("response.created", { response: { id: "resp_1", object: "response", created_at: 1, model: "m", output: [] } });
  for (const one of said) {
    if ("text" in one) prose("message", one.text);
    else if ("thinking" in one) prose("reasoning", one.thinking);
    else if ("signature" in one) closeProse({ encrypted_content: one.signature });
    else if ("redacted" in one) {
      closeProse();
      done(added({ type: "reasoning", id: `rs_${items.length}`, summary: [] }), { encrypted_content: one.redacted });
    } else if ("name" in one) {
      closeProse();
      const { call, id, name } = one;
      calls.set(
        call,
        added({
          type: "function_call",
          id: `fc_${items.length}`,
          call_id: id,
          name,
          arguments: "",
          status: "in_progress",
        }),
      );
    } else if ("args" in one) {
      const at = calls.get(one.call) as number;
      const item = items[at] as Item;
      item.arguments = `${item.arguments}${one.args}`;
      say("response.function_call_arguments.delta", { item_id: item.id, output_index: at, delta: one.args });
    } else if ("ended" in one) {
      const at = calls.get(one.ended) as number;
      const { id, arguments: all } = items[at] as Item;
      say("response.function_call_arguments.done", { item_id: id, output_index: at, arguments: all });
      done(at, {});
    } else if ("end" in one) {
      closeProse();
      const { input, output, read = 0, reasoning = 0 } = one.usage ?? defaultUsage;
      const usage = {
        input_tokens: input,
        output_tokens: output,
        total_tokens: input + output,
        input_tokens_details: { cached_tokens: read },
        output_tokens_details: { reasoning_tokens: reasoning },
      };
      const cut = one.end === "length" ? "max_output_tokens" : one.end === "refusal" ? "content_filter" : undefined;
      const response = { id: "resp_1", object: "response", created_at: 1, model: "m", output: items, usage };
      if (cut === undefined) say("response.completed", { response: { ...response, status: "completed" } });
      else {
        const details = { status: "incomplete", incomplete_details: { reason: cut } };
        say("response.incomplete", { response: { ...response, ...details } });
      }
    }
  }
  return events;
}
