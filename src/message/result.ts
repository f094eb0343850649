import type { Json } from "./json.ts";
import type { ToolResultContent } from "./message.ts";

const marker: unique symbol = Symbol.for("rondo.result");

/** A ready-made tool result; make one with {@link result}. */
export type ToolResult = {
  readonly content: readonly ToolResultContent[];
  readonly isError: boolean;
  readonly details?: Json;
  readonly [marker]: true;
};

/** What {@link result} is made of. */
export type ToolResultInit = {
  /** For the model: text, one part, or several. */
  readonly content: string | ToolResultContent | readonly ToolResultContent[];
  /** The call failed, and the model is told so. Default false. */
  readonly isError?: boolean;
  /** For the program, not for the model: kept in the history and shown in events. */
  readonly details?: Json;
};

/**
 * A tool result with full control over what the model gets. Any other value that a tool returns is data, however much
 * it looks like a result.
 *
 * @example
 * ```ts
 * const fetchPage = tool({
 *   name: "fetch_page",
 *   input: z.object({ url: z.string() }),
 *   execute: async ({ url }) => {
 *     const page = await fetch(url);
 *     if (!page.ok) return result({ content: `The server answered ${page.status}.`, isError: true });
 *     return result({ content: await page.text(), details: { status: page.status } });
 *   },
 * });
 * ```
 */
export function result(init: ToolResultInit): ToolResult {
  const { content, isError = false, details } = init;
  return {
    content: partsOf(content),
    isError,
    ...(details === undefined ? {} : { details }),
    [marker]: true,
  };
}

function partsOf(content: ToolResultInit["content"]): readonly ToolResultContent[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? (content as readonly ToolResultContent[]) : [content as ToolResultContent];
}

/** True for what {@link result} returned, of any copy of this package. */
export function isToolResult(value: unknown): value is ToolResult {
  return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[marker] === true;
}
