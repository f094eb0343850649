/** One element of what may stand in front of an action's object. */
type Element =
  | { readonly literal: string; readonly optional?: true }
  /** White space, up to so much of it; or none. */
  | { readonly space: number }
  /** A tool's name. */
  | { readonly name: true }
  /** The word behind a fence, or none. */
  | { readonly info: true };

type Path = { readonly elements: readonly Element[]; readonly form: Form };

/** How an action can begin. */
export type Form = {
  /** `line`: at the start of a line only. */
  readonly where: "anywhere" | "line";
  /** A mark says what follows: it need not stand alone. */
  readonly marked: boolean;
  /** The mark is used for nothing else: any name counts. */
  readonly sure: boolean;
  readonly fenced: boolean;
  /** What closes it behind the object. */
  readonly closing?: string;
};

/** What stood in front of the object: the whole of it up to the `{`. */
export type Opening = { readonly form: Form; readonly name: string | undefined; readonly info: string };

const literal = (text: string): Element => ({ literal: text });
const optional = (text: string): Element => ({ literal: text, optional: true });
const space: Element = { space: 40 };
const object = [space, optional("["), space, literal("{")];

/** Marks, and what closes them. The first is the one that is asked for. */
const marks: readonly (readonly [string, string?])[] = [
  ["<tool_call>", "</tool_call>"],
  ["<function_call>", "</function_call>"],
  ["<|tool_call|>", "<|/tool_call|>"],
  ["<|python_tag|>"],
  ["[TOOL_CALLS]"],
];

const bare: Form = { where: "line", marked: false, sure: false, fenced: false };
const fenced: Form = { ...bare, fenced: true };
const marked = (closing?: string): Form => ({
  where: "anywhere",
  marked: true,
  sure: true,
  fenced: false,
  ...(closing !== undefined && { closing }),
});
const fence: readonly Element[] = [literal("```"), { info: true }, space];

const paths: readonly Path[] = [
  ...marks.flatMap(([mark, closing]): Path[] => [
    { form: marked(closing), elements: [literal(mark), ...object] },
    { form: marked(closing), elements: [literal(mark), space, ...fence, ...object] },
    { form: { ...marked(closing), where: "line", fenced: true }, elements: [...fence, literal(mark), ...object] },
  ]),
  { form: marked("</function>"), elements: [literal("<function="), { name: true }, literal(">"), space, literal("{")] },
  { form: marked(), elements: [literal("[TOOL_CALLS]"), space, { name: true }, optional("[ARGS]"), literal("{")] },
  { form: fenced, elements: [...fence, ...object] },
  { form: bare, elements: [optional("["), space, literal("{")] },
  {
    form: { ...bare, marked: true },
    elements: [literal("Action:"), space, { name: true }, space, literal("Action Input:"), space, literal("{")],
  },
];

const nameChar = /[\p{L}\p{N}_.:/-]/u;
const infoChar = /[\w-]/;

/** A place in a path: the element, how much of it is read, and the words on the way. */
type Spot = {
  readonly path: Path;
  readonly step: number;
  readonly read: number;
  readonly name: string;
  readonly info: string;
};

/** All the ways in which what was read may go on to be an opening: a bounded number. */
export type Ways = readonly Spot[];

/** One character further: the opening that is whole with it, or the ways that are left, none if it does not belong. */
export function onward(ways: Ways, char: string): Opening | Ways {
  const next: Spot[] = [];
  for (const spot of ways) {
    const moved = advanced(spot, char);
    if (moved === undefined) continue;
    if (moved.step === moved.path.elements.length) {
      const { path, name, info } = moved;
      return { form: path.form, name: name === "" ? undefined : name, info };
    }
    next.push(...reachable(moved));
  }
  return next;
}

/** What each first character leads to. */
function startsOf(all: readonly Path[]): ReadonlyMap<string, Opening | Ways> {
  const ways = all.flatMap((path) => reachable({ path, step: 0, read: 0, name: "", info: "" }));
  const firsts = ways.flatMap(({ path, step }) => {
    const element = path.elements[step]!;
    return "literal" in element ? [element.literal[0]!] : [];
  });
  return new Map(firsts.map((char) => [char, onward(ways, char)]));
}

const lineStarts = startsOf(paths);
const starts = startsOf(paths.filter(({ form }) => form.where === "anywhere"));

/** What may begin with this character; undefined where nothing does. */
export const beginning = (char: string, atLineStart: boolean): Opening | Ways | undefined =>
  (atLineStart ? lineStarts : starts).get(char);

/** This place, and those behind elements that may be left out. */
function reachable(spot: Spot): Spot[] {
  const found = [spot];
  for (let at = spot; ; ) {
    const element = at.path.elements[at.step];
    if (element === undefined || !mayPass(element, at.read)) return found;
    at = { ...at, step: at.step + 1, read: 0 };
    found.push(at);
  }
}

function mayPass(element: Element, read: number): boolean {
  if ("literal" in element) return element.optional === true && read === 0;
  return "name" in element ? read > 0 : true;
}

function advanced(spot: Spot, char: string): Spot | undefined {
  const element = spot.path.elements[spot.step]!;
  const read = spot.read + 1;
  if ("literal" in element) {
    if (element.literal[spot.read] !== char) return undefined;
    return read === element.literal.length ? { ...spot, step: spot.step + 1, read: 0 } : { ...spot, read };
  }
  if ("space" in element) return /\s/.test(char) && read <= element.space ? { ...spot, read } : undefined;
  if ("name" in element)
    return nameChar.test(char) && read <= 128 ? { ...spot, read, name: spot.name + char } : undefined;
  return infoChar.test(char) && read <= 20 ? { ...spot, read, info: spot.info + char } : undefined;
}
