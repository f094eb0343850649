import type { JSONSchema7, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { wellFormedJson } from "../../message/plain-json.ts";
import { wellFormed } from "../../message/well-formed.ts";
import type { ModelRequest, ToolDeclaration } from "../model.ts";
import { acceptedSchema } from "../schema/accepted.ts";
import type { Dialect } from "../schema/dialect.ts";
import type { Warning } from "./call-options.ts";
import { type NamedTools, namedTools } from "./named-tool.ts";
import type { WireNames } from "./wire-names.ts";

/** The tools of a request as they are declared. */
export type DeclaredTools = {
  readonly tools: LanguageModelV4FunctionTool[];
  /** Names of the tools that this provider takes in no form; each has a warning. */
  readonly leftOut: ReadonlySet<string>;
  readonly warnings: readonly Warning[];
  readonly named: NamedTools;
};

type Converted = { readonly tool: LanguageModelV4FunctionTool } | { readonly warning: Warning };

/**
 * Makes tool declarations once: a request with the same array gets the same objects again, so that the declared tools of
 * a run are byte-stable; in a grown or rebuilt array, known declarations keep their objects. A tool whose schema the
 * dialect takes in no form is left out, so that it does not keep the others from being sent.
 */
export function toolConverter(
  names: WireNames,
  dialect: Dialect,
): (tools: readonly ToolDeclaration[]) => DeclaredTools {
  const lists = new WeakMap<
    readonly ToolDeclaration[],
    { readonly length: number; readonly declared: DeclaredTools }
  >();
  const single = new WeakMap<ToolDeclaration, Converted>();

  const convert = (declaration: ToolDeclaration): Converted => {
    const known = single.get(declaration);
    if (known !== undefined) return known;
    const converted = convertOnce(declaration, names.wire(declaration.name), dialect);
    single.set(declaration, converted);
    return converted;
  };

  return (tools) => {
    const known = lists.get(tools);
    if (known !== undefined && known.length === tools.length) return known.declared;
    names.declare(tools.map((tool) => tool.name));
    const made = tools.map(convert);
    const declared: DeclaredTools = {
      tools: made.flatMap((one) => ("tool" in one ? [one.tool] : [])),
      warnings: made.flatMap((one) => ("warning" in one ? [one.warning] : [])),
      named: namedTools(tools, names),
      leftOut: new Set(tools.filter((_, index) => "warning" in made[index]!).map((tool) => tool.name)),
    };
    lists.set(tools, { length: tools.length, declared });
    return declared;
  };
}

function convertOnce(
  { name, description, parameters, closedParameters }: ToolDeclaration,
  wireName: string,
  dialect: Dialect,
): Converted {
  const accepted = acceptedSchema((dialect.closedObjects && closedParameters) || parameters, dialect);
  if ("refused" in accepted) {
    const { keyword, path, reason } = accepted.refused;
    const where = `${keyword} at ${path} ${reason}`;
    return {
      warning: warning("tool_schema", `The tool "${name}" was left out, as its schema cannot be sent: ${where}.`),
    };
  }
  const said = [description, accepted.note].filter((text) => text !== undefined && text !== "").join("\n\n");
  return {
    tool: {
      type: "function",
      name: wireName,
      description: wellFormed(said),
      inputSchema: wellFormedJson(accepted.schema) as JSONSchema7,
    },
  };
}

const warning = (code: string, message: string): Warning => ({ type: "warning", code, message });

/** The request without a choice of tools that were left out, which nobody can pick; the same one if there is none. */
export function withoutLeftOut(
  request: ModelRequest,
  { leftOut }: DeclaredTools,
): { request: ModelRequest; warnings: readonly Warning[] } {
  const { toolChoice } = request;
  if (typeof toolChoice === "string" || !toolChoice.names.some((name) => leftOut.has(name)))
    return { request, warnings: [] };
  const names = toolChoice.names.filter((name) => !leftOut.has(name));
  const gone = toolChoice.names.filter((name) => leftOut.has(name)).join(", ");
  const sent = names.length > 0 ? `of ${names.join(", ")} alone` : `as "auto"`;
  return {
    request: { ...request, toolChoice: names.length > 0 ? { type: "function", names } : "auto" },
    warnings: [
      warning("tool_choice", `The choice of ${toolChoice.names.join(", ")} was sent ${sent}: ${gone} was left out.`),
    ],
  };
}
