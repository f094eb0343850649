import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { ModelEvent, ModelFailure } from "../model.ts";
import type { Dialect } from "../schema/dialect.ts";
import { askedAgain } from "./asked-again.ts";
import type { DeclaredTools } from "./tools.ts";
import type { WireNames } from "./wire-names.ts";

/** How much of tools a provider takes, as far as it has said so. */
type Sizes = { readonly tools?: number; readonly description?: number };

/** What one model has learned of sizes. They are the provider's, so it holds for all runs. */
export type SizeMemory = {
  /** The declared tools as they fit; the same object for the same one. */
  fitted(declared: DeclaredTools): DeclaredTools;
  /** Streams a request, and once more for each size that the provider names as the reason why it refuses it. */
  around(declared: () => DeclaredTools, ask: () => AsyncIterable<ModelEvent>): AsyncIterable<ModelEvent>;
};

/**
 * OpenAI and Azure take 128 tools, and their chat completions no description of more than 1,024 characters
 * (OpenHands/OpenHands#4838, zed-industries/zed#42393). Others take more or less, and these have been raised in places, so
 * nothing is cut before a provider says what it takes.
 */
export function sizeMemory(id: string, names: WireNames, dialect: Dialect): SizeMemory {
  let sizes: Sizes = {};
  let known = new WeakMap<DeclaredTools, DeclaredTools>();
  const inSchema = dialect.root.has("description");

  const fitted = (declared: DeclaredTools): DeclaredTools => {
    const fits = known.get(declared) ?? fitting(declared, sizes, names, inSchema);
    known.set(declared, fits);
    return fits;
  };

  return {
    fitted,
    around(declared, ask) {
      const mended = (error: ModelFailure): ModelEvent | undefined => {
        const learned = sizesIn(error, declared().tools);
        if (learned === undefined) return undefined;
        sizes = { ...sizes, ...learned };
        known = new WeakMap();
        return warning(id, error);
      };
      return askedAgain(() => askedAgain(ask, mended), mended);
    },
  };
}

const counts =
  /\btools'?:? array too long\b.*?maximum length (\d+)|\b(?:at most|maximum (?:of )?|up to) ?(\d+) (?:tools|functions?)\b/i;
const lengths = /\bdescription\b.*?(?:maximum length|at most|up to|less than or equal to) (\d+)/i;

/** The sizes that a failure names, if what was sent is beyond them. */
function sizesIn({ kind, message }: ModelFailure, sent: readonly LanguageModelV4FunctionTool[]): Sizes | undefined {
  if (kind !== "invalid" || !/tool|function/i.test(message)) return undefined;
  const tools = numberIn(counts, message);
  if (tools !== undefined && tools > room && tools < sent.length + room) return { tools };
  const description = numberIn(lengths, message);
  const isBeyond = description !== undefined && sent.some((tool) => (tool.description ?? "").length > description);
  return isBeyond && description >= least ? { description } : undefined;
}

function numberIn(pattern: RegExp, message: string): number | undefined {
  const found = pattern
    .exec(message)
    ?.slice(1)
    .find((group) => group !== undefined);
  return found === undefined ? undefined : Number(found);
}

/** Among the tools may be the one through which a result is handed in. */
const room = 1;
/** Below this nothing readable is left. */
const least = 100;

function fitting(declared: DeclaredTools, sizes: Sizes, names: WireNames, inSchema: boolean): DeclaredTools {
  const { tools: most = Infinity, description = Infinity } = sizes;
  const kept = declared.tools.slice(0, most - room);
  const gone = declared.tools.slice(kept.length).map((tool) => names.original(tool.name));
  const tools = kept.map((tool) => shortened(tool, description, inSchema));
  if (gone.length === 0 && tools.every((tool, at) => tool === declared.tools[at])) return declared;
  return {
    ...declared,
    tools,
    leftOut: new Set([...declared.leftOut, ...gone]),
    warnings: gone.length === 0 ? declared.warnings : [...declared.warnings, leftOut(gone, most)],
  };
}

const goesOn = " … (goes on in the description of the parameters)";

/** The description as long as it may be; the rest stands in front of what the schema says of itself, where that is told. */
function shortened(tool: LanguageModelV4FunctionTool, most: number, inSchema: boolean): LanguageModelV4FunctionTool {
  const { description = "", inputSchema } = tool;
  if (description.length <= most) return tool;
  const end = inSchema ? goesOn : " …";
  const whole = description.slice(0, most - end.length);
  const at = Math.max(whole.lastIndexOf(" "), whole.lastIndexOf("\n"));
  const cut = at > whole.length - least ? at : whole.length;
  const rest = [description.slice(cut).trimStart(), inputSchema.description].filter((part) => part !== undefined);
  return {
    ...tool,
    description: description.slice(0, cut).toWellFormed() + end,
    inputSchema: inSchema ? { ...inputSchema, description: rest.join("\n\n").toWellFormed() } : inputSchema,
  };
}

const leftOut = (names: readonly string[], most: number): Extract<ModelEvent, { type: "warning" }> => ({
  type: "warning",
  code: "tools_left_out",
  message: `The provider takes at most ${most} tools, so ${names.length} were left out: ${names.slice(0, 20).join(", ")}${names.length > 20 ? ", …" : ""}. Let tools wait (defer, deferAbove) to keep all of them.`,
});

const warning = (id: string, { message }: ModelFailure): ModelEvent => ({
  type: "warning",
  code: "tool_size",
  message: `${id} takes less of tools and is asked with what fits from now on. It said: ${message.slice(0, 200)}`,
});
