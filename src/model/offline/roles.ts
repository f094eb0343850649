import type { Mention } from "./mentions.ts";
import type { Parameter } from "./parameters.ts";

/** What the name of a parameter says about the words that lead up to its value. */
export type Roles = {
  readonly place: boolean;
  /** Its description or example speaks of a state or a country behind a comma. */
  readonly regional: boolean;
  rate(lead: string, mention: Mention): number;
};

type Role = { readonly names: ReadonlySet<string>; readonly cues: readonly (readonly [RegExp, number])[] };

const role = (names: string, ...cues: readonly (readonly [RegExp, number])[]): Role => ({
  names: new Set(names.split(" ")),
  cues,
});

const placeNames = "city citi location plac country state region town area address venue destin destination origin";

const roles: readonly Role[] = [
  role(
    "from sourc origin departur bas start begin initial depart",
    [/\b(?:from|between|leaving)\s+(?:the\s+)?$/iu, 4],
    [/\b(?:to|into)\s+(?:the\s+)?$/iu, -2],
  ),
  role(
    "to target destin destination end arrival final goal",
    [/\b(?:to|into|towards?|and)\s+(?:the\s+)?$/iu, 3],
    [/\b(?:from|between)\s+(?:the\s+)?$/iu, -3],
  ),
  role(
    "old before previou current search find",
    [
      /\b(?:replac(?:e|ing)|chang(?:e|ing)|swap(?:ping)?|substitute|turn|rename|from)\s+(?:the\s+|all\s+|every\s+)?$/iu,
      4,
    ],
    [/\b(?:with|by|to|into)\s+$/iu, -3],
  ),
  role("new after replac replacement", [/\b(?:with|by|to|into|for)\s+$/iu, 4], [/\b(?:replace|change|from)\s+$/iu, -3]),
  role(
    placeNames,
    [/\b(?:in|near|around|within|nearby)\s+(?:the\s+)?$/iu, 2.5],
    [/\b(?:at|to|from|for|of)\s+(?:the\s+)?$/iu, 1],
    [/\bby\s+$/iu, -2],
  ),
  role(
    "author artist actor actres director directed composer player person singer band creator painter writer",
    [/\bby\s+(?:the\s+)?$/iu, 3],
    [/\b(?:of|for|starring|from)\s+(?:the\s+)?$/iu, 1],
    [/\bin\s+(?:the\s+)?$/iu, -1.5],
  ),
  role("topic subject query keyword text search term question", [
    /\b(?:about|on|regarding|for|of|concerning|named|called)\s+(?:the\s+|a\s+)?$/iu,
    2,
  ]),
  role("titl name", [/\b(?:titled|called|named|entitled)\s+(?:the\s+)?$/iu, 3], [/\b(?:of|for)\s+(?:the\s+)?$/iu, 0.5]),
];

const isTarget = /(?:\b(?:in|to|into)|\bhow (?:many|much))\s+(?:the\s+)?$/iu;
const places = new Set(placeNames.split(" "));
const plainCue = /\b(?:of|for|in|with|using|on|about|at)\s+(?:the\s+|an?\s+)?$/iu;

/** The roles of a parameter, by the words of its name. */
export function rolesOf(parameter: Parameter): Roles {
  const known = cache.get(parameter);
  if (known) return known;
  const own = roles.filter(({ names }) => [...parameter.named].some((word) => names.has(word)));
  const made: Roles = {
    place: [...parameter.named].some((word) => places.has(word)),
    regional: [...parameter.examples].some((example) => /\p{L}, ?\p{L}/u.test(example)) || hasRegion(parameter),
    rate: (lead, { kind }) => {
      // "300 USD in GBP", "how many euros are 50 dollars".
      if (kind === "acronym" && own.length > 0 && (isTarget.test(lead) || /^\s?$/u.test(lead)))
        return own.some(({ names }) => names.has("target")) === isTarget.test(lead) ? 2 : -2;
      const cues = own.flatMap(({ cues }) => cues.find(([cue]) => cue.test(lead))?.[1] ?? []);
      if (cues.length > 0) return Math.max(...cues) < 0 ? Math.min(...cues) : Math.max(...cues);
      return plainCue.test(lead) ? 0.5 : 0;
    },
  };
  cache.set(parameter, made);
  return made;
}

const cache = new WeakMap<Parameter, Roles>();

function hasRegion({ about, named }: Parameter): boolean {
  return (
    !named.has("country") && !named.has("stat") && about.has("city") && (about.has("stat") || about.has("country"))
  );
}
