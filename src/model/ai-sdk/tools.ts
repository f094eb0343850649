import type { JSONSchema7, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { wellFormedJson } from "../../message/plain-json.ts";
import { wellFormed } from "../../message/well-formed.ts";
import type { ToolDeclaration } from "../model.ts";
import type { WireNames } from "./wire-names.ts";

/**
 * Makes tool declarations once: a request with the same array gets the same objects again, so that the declared tools of
 * a run are byte-stable; in a grown or rebuilt array, known declarations keep their objects.
 */
export function toolConverter(names: WireNames): (tools: readonly ToolDeclaration[]) => LanguageModelV4FunctionTool[] {
  const lists = new WeakMap<readonly ToolDeclaration[], { length: number; list: LanguageModelV4FunctionTool[] }>();
  const single = new WeakMap<ToolDeclaration, LanguageModelV4FunctionTool>();

  const convert = (declaration: ToolDeclaration): LanguageModelV4FunctionTool => {
    let tool = single.get(declaration);
    if (tool === undefined) {
      tool = {
        type: "function",
        name: names.wire(declaration.name),
        description: wellFormed(declaration.description),
        inputSchema: wellFormedJson(declaration.parameters) as JSONSchema7,
      };
      single.set(declaration, tool);
    }
    return tool;
  };

  return (tools) => {
    const known = lists.get(tools);
    if (known !== undefined && known.length === tools.length) return known.list;
    names.declare(tools.map((tool) => tool.name));
    const list = tools.map(convert);
    lists.set(tools, { length: tools.length, list });
    return list;
  };
}
