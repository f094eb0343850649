import { createIndex, type TextIndex } from "../../ranker/bm25.ts";
import { stem } from "../../ranker/stem.ts";
import { words } from "../../ranker/tokens.ts";
import type { ToolDeclaration } from "../model.ts";
import { commandWords, type Family, familiesOf, isNounish, stopWords } from "./lexicon.ts";
import { actionsOf, leadingVerb, writesOutside } from "./outside.ts";
import { type Parameter, parametersOf } from "./parameters.ts";
import { type Spelling, spelling } from "./spelling.ts";

/** What is known of a tool before any request. */
export type Profile = {
  readonly tool: ToolDeclaration;
  /** Stems of its name, and of its description (stop words left out). */
  readonly named: ReadonlySet<string>;
  readonly about: ReadonlySet<string>;
  readonly families: ReadonlySet<Family>;
  /** It may change something outside: neither its author nor its name and description say that it only reads. */
  readonly writes: boolean;
  /** Stems of the verbs that demand it. */
  readonly actions: ReadonlySet<string>;
  readonly parameters: readonly Parameter[];
};

/** The tools of a request, with the index over them. */
export type Menu = {
  readonly profiles: readonly Profile[];
  readonly index: TextIndex;
  /** Corrects words that are nearly those of a tool. */
  readonly spelling: Spelling;
  /** How much may still be tried in this request; nothing is picked when it is spent. */
  readonly work?: { left: number };
};

const menus = new WeakMap<readonly ToolDeclaration[], Menu & { readonly size: number }>();

/** Nobody asks in words for the rest of a result: this would only stand in the way of the tools that read files. */
const isAskedFor = ({ name }: ToolDeclaration): boolean => name !== "read_result";

/** Prepares a request's tools; the array is the same from round to round, so is the answer. */
export function menuOf(all: readonly ToolDeclaration[]): Menu {
  const known = menus.get(all);
  // A chat lets the array grow at its end.
  if (known && known.size === all.length) return known;
  const tools = all.filter(isAskedFor);
  const profiles = tools.map(profileOf);
  const menu = {
    size: all.length,
    profiles,
    index: createIndex(tools.map(fieldsOf)),
    spelling: spelling(profiles.flatMap(({ named, about }) => [...named, ...about])),
  };
  menus.set(all, menu);
  return menu;
}

function profileOf(tool: ToolDeclaration): Profile {
  const name = words(tool.name).map(stem);
  const verb = stem(leadingVerb(tool.description));
  const families = new Set([...familiesOf(name[0] ?? ""), ...familiesOf(verb)]);
  for (const word of words(tool.name)) {
    for (const meant of words(commandWords[word] ?? "")) {
      if (!isNounish(stem(meant))) for (const family of familiesOf(stem(meant))) families.add(family);
    }
  }
  const parameters = parametersOf(tool.parameters, tool.name);
  // What runs code also computes.
  if (parameters.some(({ kind }) => kind === "code")) families.add("compute");
  return {
    tool,
    named: new Set([...name, ...words(tool.name).flatMap((word) => words(commandWords[word] ?? "").map(stem))]),
    about: new Set(contentWords(tool.description).map(stem)),
    families,
    writes: writesOutside(tool),
    actions: actionsOf(tool),
    parameters,
  };
}

function contentWords(text: string): readonly string[] {
  return words(text).filter((word) => !stopWords.has(word));
}

function fieldsOf(tool: ToolDeclaration) {
  const parameters = parametersOf(tool.parameters, tool.name);
  const meant = words(tool.name).map((word) => commandWords[word] ?? "");
  return [
    { text: `${tool.name} ${meant.join(" ")}`, weight: 3 },
    { text: contentWords(tool.description).join(" ") },
    {
      text: parameters.map(({ name, about, options }) => [name, ...about, ...options.map(String)].join(" ")).join(" "),
      weight: 0.5,
    },
  ];
}
