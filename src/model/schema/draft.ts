import type { JsonSchema } from "../model.ts";
import { someSchema } from "./inside.ts";

/** A draft of JSON Schema; 6 reads as 7. */
export type Draft = "4" | "7" | "2019-09" | "2020-12";

/** The draft that a schema is written in: the one it names, else the newest, unless it shows that it is older. */
export function draftOf(schema: JsonSchema): Draft {
  const named = typeof schema.$schema === "string" ? schema.$schema : "";
  if (named.includes("draft-04")) return "4";
  if (named.includes("draft-06") || named.includes("draft-07")) return "7";
  if (named.includes("2019-09")) return "2019-09";
  // Many schemas do not say their draft; a boolean here means the oldest, and 2020-12 would take it for the number 1.
  const old = someSchema(schema, (node) => [node.exclusiveMinimum, node.exclusiveMaximum].some((x) => x === true));
  return old ? "4" : "2020-12";
}
