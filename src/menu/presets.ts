import { RondoError } from "../error.ts";
import { nearestNames } from "../ranker/nearest.ts";

/** A named menu: what other presets name, then these tools, each once, in this order. */
export type Preset = {
  /** Names of other presets; `"full"` is every registered tool. */
  readonly includes?: readonly string[];
  /** Names of registered tools. */
  readonly tools?: readonly string[];
};

/** Presets by name. */
export type Presets = { readonly [name: string]: Preset };

const readers = ["read_file", "list_dir", "glob", "grep", "read_result"];

/** The presets that every runtime has, beside `"full"` (every registered tool) and `"none"`. */
export const ownPresets = {
  /** Every tool that comes with Rondo. */
  default: { includes: ["coding"] },
  /** Reads, searches, writes and edits files, and runs code. */
  coding: { includes: ["safe"], tools: ["write_file", "edit_file", "run_code"] },
  /** Reads and searches, and runs code that touches nothing. */
  research: { includes: ["safe"], tools: ["run_code"] },
  /** Reads and searches; changes nothing and runs nothing. */
  safe: { tools: readers },
} as const satisfies Presets;

const reserved = ["full", "none"];

const has = (presets: object, name: string): boolean => Object.hasOwn(presets, name);

/** The names that `toolset` can take. */
export const presetNames = (presets: Presets): readonly string[] => [
  ...reserved,
  ...Object.keys(ownPresets),
  ...Object.keys(presets),
];

const mistake = (message: string) => new RondoError("invalid_option", message);

function didYouMean(name: string, names: readonly string[]): string {
  const near = nearestNames(name, names);
  if (near.length > 0) return `Did you mean ${near.map((other) => JSON.stringify(other)).join(" or ")}?`;
  return `There are ${names.join(", ")}.`;
}

const isNames = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && Array.from(value).every((name) => typeof name === "string"));

/**
 * Throws `invalid_option` for what are no presets: of another shape, named as one that there is, with an `includes` that
 * names none, or that leads back to where it began.
 */
export function checkPresets(presets: unknown): void {
  if (typeof presets !== "object" || presets === null || Array.isArray(presets)) {
    throw mistake('"presets" must be such as { review: { includes: ["safe"], tools: ["weather"] } }.');
  }
  for (const [name, preset] of Object.entries(presets)) {
    const where = `presets[${JSON.stringify(name)}]`;
    if (name.trim() === "") throw mistake('"presets": a preset has an empty name.');
    if (reserved.includes(name) || has(ownPresets, name)) {
      throw mistake(`${where}: "${name}" is a preset that there is already; give yours another name.`);
    }
    if (typeof preset !== "object" || preset === null || Array.isArray(preset)) {
      throw mistake(`${where} must be { includes, tools }, both of them arrays of names.`);
    }
    for (const [key, value] of Object.entries(preset)) {
      if (key !== "includes" && key !== "tools")
        throw mistake(`${where} has "${key}"; a preset has includes and tools.`);
      if (!isNames(value)) throw mistake(`${where}.${key} must be an array of names.`);
    }
  }
  const all = presets as Presets;
  for (const [name, { includes = [] }] of Object.entries(all)) {
    for (const other of includes) {
      if (other !== "full" && !has(ownPresets, other) && !has(all, other)) {
        const names = presetNames(all).filter((one) => one !== "none" && one !== name);
        throw mistake(
          `presets[${JSON.stringify(name)}].includes: there is no preset "${other}". ${didYouMean(other, names)}`,
        );
      }
    }
  }
  checkCircles(all);
}

/** A preset that is being followed, and how far. Not a function that calls itself: chains may be longer than a stack. */
type Followed = { readonly name: string; readonly preset: Preset; next: number };

/** The preset of this name, whosever it is. */
const presetNamed = (name: string, presets: Presets): Preset | undefined => {
  if (has(presets, name)) return presets[name];
  return has(ownPresets, name) ? ownPresets[name as keyof typeof ownPresets] : undefined;
};

/**
 * Follows a preset and all that it includes, each of which is begun once: `begin` says whether to go on into one, `end`
 * is told behind what it includes.
 */
function follow(
  first: string,
  presets: Presets,
  begin: (name: string, way: readonly Followed[]) => boolean,
  end: (name: string, preset: Preset) => void,
): void {
  const way: Followed[] = [];
  const enter = (name: string): void => {
    if (!begin(name, way)) return;
    const preset = presetNamed(name, presets);
    if (preset) way.push({ name, preset, next: 0 });
  };
  enter(first);
  for (let at = way.at(-1); at; at = way.at(-1)) {
    const other = at.preset.includes?.[at.next++];
    if (other !== undefined) enter(other);
    else {
      way.pop();
      end(at.name, at.preset);
    }
  }
}

function checkCircles(presets: Presets): void {
  const fine = new Set<string>();
  const open = new Set<string>();
  const begin = (name: string, way: readonly Followed[]): boolean => {
    if (open.has(name)) {
      const names = way.map((one) => one.name);
      const circle = [...names.slice(names.indexOf(name)), name].join(" → ");
      throw mistake(`"presets" include each other in a circle: ${circle}.`);
    }
    if (fine.has(name) || presetNamed(name, presets) === undefined) return false;
    open.add(name);
    return true;
  };
  const end = (name: string): void => {
    open.delete(name);
    fine.add(name);
  };
  for (const name of Object.keys(presets)) follow(name, presets, begin, end);
}

/** The tools that a preset names, each once, what it includes first. Throws `invalid_option` for a name that is no preset. */
export function toolsOfPreset(name: string, presets: Presets, registered: readonly string[]): readonly string[] {
  if (!has(presets, name) && !has(ownPresets, name)) {
    throw mistake(`"toolset": there is no preset "${name.slice(0, 80)}". ${didYouMean(name, presetNames(presets))}`);
  }
  const names = new Set<string>();
  const seen = new Set<string>();
  const begin = (one: string): boolean => {
    if (seen.has(one)) return false;
    seen.add(one);
    if (one === "full") for (const tool of registered) names.add(tool);
    return true;
  };
  follow(name, presets, begin, (_, preset) => {
    for (const tool of preset.tools ?? []) names.add(tool);
  });
  return [...names];
}

/** Whether a preset is one that every runtime has: it may name tools that this one does not have. */
export const isOwnPreset = (name: string): boolean => has(ownPresets, name);
