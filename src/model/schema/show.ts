import { canonicalJson, type JsonObject } from "../../message/json.ts";
import type { Dialect } from "./dialect.ts";
import { merge } from "./merge.ts";
import {
  annotations,
  families,
  fieldsOf,
  fits,
  isList,
  isObject,
  isOpen,
  type Keywords,
  type Node,
  only,
  typeNames,
  typeOf,
  typesOf,
  valuesOf,
  without,
} from "./node.ts";
import { anything, ofType } from "./open.ts";
import { inPath, type Path } from "./refused.ts";
import { annotated, showKeywords } from "./show-keywords.ts";

/** Everything about one showing of a schema in a dialect. */
export type Show = {
  readonly dialect: Dialect;
  readonly defs: ReadonlyMap<string, Node>;
  /** Definitions that are referred to. */
  readonly used: Set<string>;
  /** How often something was shown looser than it is. */
  losses: number;
  schemas: number;
};

export type At = {
  /** The arguments themselves, not something inside them. */
  readonly root?: true;
  readonly path: Path | undefined;
  readonly depth: number;
  /** Definitions that are being shown in place of references to them. */
  readonly within: readonly string[];
};

/** A place inside another; alternatives stand as deep as their union. */
export const below = ({ path, depth, within }: At, ...keys: (string | number)[]): At => ({
  path: inPath(path, ...keys),
  depth: keys[0] === "anyOf" || keys[0] === "oneOf" ? depth : depth + 1,
  within,
});

/** So many schemas are shown of one tool; the rest is shown open. */
const mostSchemas = 2_000;
/** How often a schema that holds itself is shown in itself, where there are no references. */
const unrolled = 2;

/** A schema as the dialect takes it; false for one that nothing fits. */
export function show(node: Node, at: At, work: Show): JsonObject | false {
  if (node === false) return false;
  if (node === true || isOpen(node)) return opened(node, work);
  if (at.depth > work.dialect.depth || ++work.schemas > mostSchemas) return cut(node, work);
  if (typeof node.$ref === "string") return showRef(node, node.$ref.slice("#/$defs/".length), at, work);
  const clear = withTypes(node, work);
  if (clear === false) return false;
  const branches = branchesOf(clear, work);
  return branches === undefined ? showKeywords(clear, at, work) : showUnion(clear, branches, at, work);
}

const lose = (work: Show): void => {
  work.losses += 1;
};

const opened = (node: Node, work: Show): JsonObject => told(isObject(node) ? node : {}, work, anything(work.dialect));

/** A schema that is shown already, with what another says about itself. */
const told = (node: Keywords, work: Show, shown: JsonObject): JsonObject =>
  annotated(shown, node, [], work.dialect.keywords);

/** What a schema is at its top alone. */
function cut(node: Keywords, work: Show): JsonObject {
  lose(work);
  const types = typesOf(node) ?? typesFrom(node);
  const [type] = types;
  const open = types.length === 1 && type !== undefined ? ofType(type, work.dialect) : anything(work.dialect);
  return told(node, work, open);
}

function showRef(node: Keywords, name: string, at: At, work: Show): JsonObject | false {
  const { dialect, defs, used } = work;
  const definition = defs.get(name) ?? true;
  if (dialect.refs) {
    used.add(name);
    return { $ref: `#/$defs/${name}` };
  }
  const times = at.within.filter((one) => one === name).length;
  if (!isObject(definition)) return show(definition, at, work);
  const whole = { ...definition, ...only(node, annotations) };
  if (times >= unrolled) return cut(whole, work);
  lose(work);
  return show(whole, { ...at, within: [...at.within, name] }, work);
}

/** Types that keywords and values tell, where none is said: if they are all of one family, its author means that. */
function typesFrom(node: Keywords): readonly string[] {
  const values = valuesOf(node);
  if (values !== undefined) return [...new Set(values.map(typeOf))];
  const spoken = Object.entries(families).filter(([, keywords]) =>
    keywords.some((keyword) => node[keyword] !== undefined),
  );
  const [first] = spoken;
  return spoken.length === 1 && first !== undefined ? [first[0]] : typeNames.filter((type) => type !== "integer");
}

/** The schema with its types said, if the dialect wants that and it can be told, and only the values that are of them. */
function withTypes(node: Keywords, work: Show): Keywords | false {
  const said = typesOf(node);
  const types = said ?? (work.dialect.typed && !hasUnion(node) ? typesFrom(node) : undefined);
  const values = valuesOf(node);
  if (types === undefined) return node;
  const typed = said === undefined ? { type: types.length === 1 ? (types[0] as string) : types, ...node } : node;
  if (values === undefined || said === undefined) return typed;
  const left = values.filter((value) => said.some((type) => fits(typeOf(value), type)));
  if (left.length === values.length) return typed;
  return left.length === 0 ? false : { ...without(typed, "const"), enum: left };
}

const hasUnion = (node: Keywords): boolean => isList(node.anyOf) || isList(node.oneOf);

/** The alternatives of a schema that has to be shown as several; undefined: it is one. */
function branchesOf(node: Keywords, work: Show): readonly Node[] | undefined {
  const { dialect } = work;
  if (hasUnion(node)) return dialect.unionBeside ? undefined : unionBranches(node, work);
  const types = typesOf(node);
  if (types !== undefined && types.length > 1 && !dialect.typeLists) return types.map((type) => ofOneType(node, type));
  return undefined;
}

function unionBranches(node: Keywords, work: Show): readonly Node[] {
  const { oneOf, ...base } = node;
  const keyword = isList(base.anyOf) ? "anyOf" : "oneOf";
  const branches = (keyword === "anyOf" ? base.anyOf : oneOf) as readonly Node[];
  if (keyword === "oneOf") lose(work);
  else if (oneOf !== undefined) lose(work);
  const beside = without(base, "anyOf", ...annotations);
  if (Object.keys(beside).length === 0) return branches;
  return branches.map((branch) => merge(beside, branch, () => lose(work))).filter((branch) => branch !== false);
}

/** What a schema of several types says of values of one of them. */
function ofOneType(node: Keywords, type: string): Keywords {
  const own = families[type === "integer" ? "number" : type] ?? [];
  const others = Object.values(families)
    .flat()
    .filter((keyword) => !own.includes(keyword));
  const values = valuesOf(node);
  const left = values?.filter((value) => fits(typeOf(value), type));
  const rest = without(node, "type", "const", "enum", ...annotations, ...others);
  return fieldsOf([["type", type], ...Object.entries(rest), ["enum", left]]);
}

/** Alternatives of alternatives are alternatives. */
const alternatives = (shown: JsonObject): readonly JsonObject[] =>
  isList(shown.anyOf) && Object.keys(shown).length === 1 ? (shown.anyOf as readonly JsonObject[]) : [shown];

function showUnion(node: Keywords, branches: readonly Node[], at: At, work: Show): JsonObject | false {
  const shown = new Map<string, JsonObject>();
  for (const [index, branch] of branches.entries()) {
    if (isObject(branch) && isList(branch.enum) && branch.enum.length === 0) continue;
    const one = show(branch, below(at, "anyOf", index), work);
    if (one === false) continue;
    for (const part of alternatives(one)) shown.set(canonicalJson(part), part);
  }
  const list = [...shown.values()];
  const [first] = list;
  if (first === undefined) return false;
  const open = anything(work.dialect);
  if (alternatives(open).every((one) => shown.has(canonicalJson(one)))) return told(node, work, open);
  return told(node, work, list.length === 1 ? first : { anyOf: list });
}
