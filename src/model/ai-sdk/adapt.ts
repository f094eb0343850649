import { idleLimits } from "../idle.ts";
import type { Model, ModelEvent, ModelRequest } from "../model.ts";
import { withRetries } from "../retry.ts";
import type { AiSdkOptions, Known } from "./ai-sdk.ts";
import { type Call, callOptions } from "./call-options.ts";
import { dialectOf } from "./dialect-of.ts";
import type { LanguageModel } from "./language-model.ts";
import { withoutLateThinking } from "./late-thinking.ts";
import { outputPlanner } from "./output.ts";
import { historyConverter } from "./prompt.ts";
import { choiceMemory } from "./refused-choice.ts";
import { withoutRefusedData } from "./refused-data.ts";
import { knobs } from "./refused-knob.ts";
import { type Attempt, requestOnce } from "./request.ts";
import { storing } from "./stored.ts";
import { sizeMemory } from "./tool-sizes.ts";
import { toolConverter, withoutLeftOut } from "./tools.ts";
import { wireNames } from "./wire-names.ts";

/** What asks a language model: everything that is kept for it from request to request, and the way of one request through it. */
export function adapt(
  model: LanguageModel,
  id: string,
  options: Omit<AiSdkOptions, "id">,
  known: Known,
): Model["stream"] {
  const { retry, cache = true, newId = randomId } = options;
  const idle = idleLimits(options);
  const { selects = false } = known;
  const about = { ...known, id };
  const names = wireNames();
  const dialect = dialectOf(model);
  const toolsOf = toolConverter(names, dialect);
  const historyOf = historyConverter(model, id, names, options.supports?.images !== false);
  const planOf = outputPlanner(model, dialect);
  const { of: withoutRefused, around: withoutRefusedKnob } = knobs(id);
  const choices = choiceMemory(id);
  const sizes = sizeMemory(id, names, dialect);

  return (given: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> => {
    const { stored, request } = storing(model, given);
    const declaredNow = () => sizes.fitted(toolsOf(given.tools));
    let history = historyOf(request.messages, stored);
    let said: Call["words"];

    const ask = () => {
      history = historyOf(request.messages, stored);
      const declared = declaredNow();
      const declaring = withoutLeftOut(withoutRefused(request), declared);
      const { tools } = declared;
      const { asked, warnings: late } = withoutLateThinking(model, declaring.request, history);
      const words = choices.wordsFor(request.messages);
      const output = planOf(asked, tools, words === "unforced");
      const parts = { model, request: asked, history, tools, output, names, selects, words, cache, signal };
      const call = callOptions(parts);
      said = call.words;
      const warnings = [...declared.warnings, ...declaring.warnings, ...history.warnings, ...late];
      const besideCalls = request.toolChoice === "none";
      const submission = output.submission && { ...output.submission, besideCalls };
      const attempt: Attempt = {
        model,
        modelId: id,
        call,
        warnings,
        history,
        names,
        named: declared.named,
        newId,
        signal,
        submission,
        idle,
        about,
      };
      return withRetries(() => requestOnce(attempt), signal, retry, request.deadlineAt);
    };
    const choosing = () =>
      choices.around(
        request.messages,
        () => said,
        () => withoutRefusedKnob(request, ask),
      );
    const asking = () => sizes.around(declaredNow, choosing);
    return withoutRefusedData(asking, () => history.dropData());
  };
}

export const randomId = (): string => `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
