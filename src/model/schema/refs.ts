import { dereference, type Schema } from "@cfworker/json-schema";
import type { Json, JsonObject } from "../../message/json.ts";
import { annotations, isObject } from "./node.ts";
import { inPath, type Path, Refused } from "./refused.ts";

/** The references inside one document. */
export type References = {
  /** What the `$ref` of a schema points to, behind all that only point on. */
  target(node: JsonObject, path: Path | undefined): Json;
  /** Whether a schema holds itself, through references. */
  recurs(target: Json): boolean;
};

/**
 * Finds what references inside `root` point to, exactly as the validator does: pointers, anchors and ids of this document.
 * Nothing is ever fetched. `root` has to be a copy of one's own, as the search leaves marks in it.
 */
export function referencesOf(root: JsonObject): References {
  let known: { readonly [uri: string]: unknown } | undefined;
  const find = (node: JsonObject): Json | undefined => {
    known ??= dereference(root as Schema);
    const { __absolute_ref__ } = node as { readonly __absolute_ref__?: string };
    return known[__absolute_ref__ ?? String(node.$ref)] as Json | undefined;
  };
  const direct = new Map<Json, ReadonlySet<Json>>();
  const recurring = new Map<Json, boolean>();
  const targetsIn = (schema: Json): ReadonlySet<Json> => {
    const targets = direct.get(schema) ?? collect(schema, find);
    direct.set(schema, targets);
    return targets;
  };
  return {
    target(node, path) {
      const at = inPath(path, "$ref");
      const seen = new Set<Json>();
      let target: Json | undefined = node;
      while (isObject(target) && typeof target.$ref === "string" && (seen.size === 0 || onlyRefers(target))) {
        if (seen.has(target)) throw new Refused("$ref", at, "leads back to itself");
        seen.add(target);
        const { $ref }: JsonObject = target;
        try {
          target = find(target);
        } catch (error) {
          throw new Refused("$ref", at, (error as Error).message);
        }
        if (target === undefined) throw new Refused("$ref", at, `${JSON.stringify($ref)} leads nowhere`);
      }
      return target;
    },
    recurs(target) {
      const known = recurring.get(target);
      if (known !== undefined) return known;
      const reached = new Set(targetsIn(target));
      // A set that grows while it is walked through is walked to its end.
      for (const one of reached) for (const next of targetsIn(one)) reached.add(next);
      recurring.set(target, reached.has(target));
      return reached.has(target);
    },
  };
}

/** Says nothing but where to look. */
const onlyRefers = (node: JsonObject): boolean =>
  Object.keys(node).every((key) => key === "$ref" || annotations.includes(key));

/** What the references anywhere inside a schema point to. */
function collect(schema: Json, find: (node: JsonObject) => Json | undefined): ReadonlySet<Json> {
  const targets = new Set<Json>();
  const open: (Json | undefined)[] = [schema];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== "object" || node === null) continue;
    if (isObject(node) && typeof node.$ref === "string") {
      const target = find(node);
      if (target !== undefined) targets.add(target);
    }
    open.push(...Object.values(node));
  }
  return targets;
}

/** A name for the definition that a reference leads to, which no other has. */
export function nameOf(ref: string, taken: Iterable<string>): string {
  const last = ref.split(/[/#]/).findLast((part) => part !== "") ?? "root";
  const name = last.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 60) || "root";
  const names = new Set(taken);
  let free = name;
  for (let at = 2; names.has(free); at++) free = `${name}_${at}`;
  return free;
}
