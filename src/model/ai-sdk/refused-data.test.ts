import { expect, test } from "vitest";
import { ask } from "../../../test/wires/ask.ts";
import { replyFromEvents } from "../collect.ts";
import type { Model, ModelEvent, ModelFailure } from "../model.ts";
import { withoutRefusedData } from "./refused-data.ts";

const ended = (error?: ModelFailure): ModelEvent => ({
  type: "end",
  message: replyFromEvents("m", [], error === undefined ? "stop" : "error"),
  ...(error === undefined ? undefined : { error }),
});
const invalid = (message: string): ModelFailure => ({ kind: "invalid", message });

/** Streams these in turn; `drops` says whether there is anything to leave out. */
async function streamed(drops: boolean, ...streams: ModelEvent[][]) {
  let asked = 0;
  const once = () => {
    const events = streams[asked++] ?? [];
    return (async function* () {
      yield* events;
    })();
  };
  const model: Model = { id: "m", stream: () => withoutRefusedData(once, () => drops) };
  const { events, end } = await ask(model, { messages: [], tools: [], toolChoice: "auto" });
  return { asked, end, kinds: events.map((event) => event.type) };
}

test.each([
  "messages.1.content.0: Invalid `signature` in `thinking` block",
  "messages.5.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.",
  "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.",
  "a final `assistant` message must start with a thinking block",
  "The encrypted content gAAA...c90= could not be verified.",
  "Item with id 'rs_04332f10855e4dab' not found.",
  "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
  "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'.",
  "Reasoning input items can only be provided to a reasoning or computer use model.",
  "Unable to submit request because Thought signature is not valid.",
  "Function call is missing a thought_signature in functionCall parts.",
  "The reasoning_content field must not be sent.",
])("asks once more without it: %s", async (message) => {
  const { asked, end, kinds } = await streamed(
    true,
    [ended(invalid(message))],
    [{ type: "text", delta: "Hi" }, ended()],
  );
  expect({ asked, kinds }).toEqual({ asked: 2, kinds: ["warning", "text", "end"] });
  expect(end.error).toBeUndefined();
});

test.each([
  invalid("max_tokens must be greater than thinking.budget_tokens"),
  invalid("Unsupported parameter: 'reasoning.effort' is not supported with this model."),
  invalid("The reasoning_content in the thinking mode must be passed back to the API."),
  { kind: "auth", message: "The request signature we calculated does not match" } as const,
])("leaves another failure as it is: $message", async (error) => {
  const { asked, end } = await streamed(true, [ended(error)]);
  expect({ asked, error: end.error }).toEqual({ asked: 1, error });
});

test("a history without anything to leave out is not asked about twice", async () => {
  const error = invalid("Invalid `signature` in `thinking` block");
  expect((await streamed(false, [ended(error)])).end.error).toBe(error);
});

test("a failure behind content stands, and so does a second one", async () => {
  const error = invalid("Invalid `signature` in `thinking` block");
  const behind = await streamed(true, [{ type: "text", delta: "Hi" }, ended(error)]);
  expect({ asked: behind.asked, error: behind.end.error }).toEqual({ asked: 1, error });
  const twice = await streamed(true, [ended(error)], [ended(error)], [ended()]);
  expect({ asked: twice.asked, error: twice.end.error }).toEqual({ asked: 2, error });
});
