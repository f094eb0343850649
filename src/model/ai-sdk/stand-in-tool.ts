import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { LanguageModel } from "./language-model.ts";
import type { History } from "./prompt.ts";

const standIn: readonly LanguageModelV4FunctionTool[] = [
  {
    type: "function",
    name: "no_tools_now",
    description: "No tool can be called at this point. Do not call this.",
    inputSchema: { type: "object", properties: {} },
  },
];

/**
 * The tools to declare. Bedrock takes no calls in the history of a request without tools, and its package would take them
 * and their results out: there one that does nothing is declared instead of none.
 */
export function declaredTools(
  model: LanguageModel,
  tools: LanguageModelV4FunctionTool[],
  history: History,
): LanguageModelV4FunctionTool[] {
  if (tools.length > 0 || history.callIds.size === 0 || !/^amazon-bedrock/.test(model.provider)) return tools;
  return [...standIn];
}
