import type { Message } from "../../message/message.ts";
import type { Model, ModelEvent, ModelFailure } from "../model.ts";
import { textTools } from "./text-tools.ts";

/** How servers say that a model takes no tools: Ollama, Bedrock; OpenRouter; llama.cpp; vLLM; Google, Groq (in quotes) and others. */
const refusals = [
  /does(?: not|n't) support (?:tools|tool[ _-](?:use|calls?|calling)|functions?|function calling)\b/i,
  /\bno endpoints found that support tool use\b/i,
  /\btools? param(?:eter)? requires --jinja/i,
  /--enable-auto-tool-choice|--tool-call-parser/i,
  /\b(?:tools|tool[ _-](?:use|calls?|calling)|function[ -]calling)["'`]? (?:is|are) not (?:supported|enabled|available)/i,
];

const isRefusal = ({ kind, message }: ModelFailure): boolean =>
  (kind === "invalid" || kind === "overloaded" || kind === "unknown") &&
  refusals.some((refusal) => refusal.test(message)) &&
  // One field beside the tools was refused, not the tools.
  !/parallel|response_format|json_schema|tool_choice/i.test(message);

/**
 * A model behind a server that may turn out to take no tools: the first time it says so, the request is sent again with
 * the tools in its prompt, with a warning, and so is every later one.
 */
export function orTextTools(model: Model): Model {
  const inText = textTools(model);
  let refused = false;

  async function* trying(...[request, signal]: Parameters<Model["stream"]>): AsyncGenerator<ModelEvent, void> {
    let failure: ModelFailure | undefined;
    for await (const event of model.stream(request, signal)) {
      const said = event.type === "retry" || event.type === "end" ? event : undefined;
      if (said?.error !== undefined && !signal.aborted && isRefusal(said.error)) {
        failure = said.error;
        break;
      }
      yield event;
    }
    if (failure === undefined) return;
    if (!refused) yield warning(model.id, failure);
    refused = true;
    yield* inText.stream(request, signal);
  }

  return {
    ...model,
    stream: (request, signal) => {
      if (refused) return inText.stream(request, signal);
      return request.tools.length === 0 && !request.messages.some(isResult)
        ? model.stream(request, signal)
        : trying(request, signal);
    },
  };
}

/** What was called is in the history by the same means. */
const isResult = ({ role }: Message): boolean => role === "tool";

const warning = (id: string, { message }: ModelFailure): ModelEvent => ({
  type: "warning",
  code: "text_tools",
  message: `${id} takes no tools (${JSON.stringify(message.slice(0, 200))}): from now on they are told in its prompt, and it picks them in text.`,
});
