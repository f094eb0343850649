import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Json } from "../message/json.ts";

/** The type of what a schema makes of a reply; plain JSON for a raw JSON Schema. */
export type OutputOf<S> = S extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<S>
  : S extends { readonly schema: infer Inner extends StandardSchemaV1 }
    ? StandardSchemaV1.InferOutput<Inner>
    : Json;
