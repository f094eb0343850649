import { looseWords, plainWords } from "./described.ts";
import { arithmeticIn, codeOf, formulaIn } from "./formula.ts";
import { kindOfQuoted, type Mention, type MentionKind } from "./mentions.ts";
import type { ParameterKind } from "./parameters.ts";
import type { Reading } from "./reading.ts";
import { escaped, type Take, type Taken, taken, within } from "./take.ts";

/** The first free mention of these kinds, in or out of quotes; earlier kinds win. */
export function first(free: readonly Mention[], ...kinds: readonly MentionKind[]): Taken | undefined {
  for (const kind of kinds) {
    const mention = free.find(
      (one) => one.kind === kind || (one.kind === "quoted" && kindOfQuoted(one.value) === kind),
    );
    if (mention) return taken(mention.value, mention);
  }
  return undefined;
}

const named =
  /\b(?:named|called|whose (?:file )?name (?:is|has|contains|includes|mentions|matches|(?:starts|begins|ends) with)|with (?:the )?name)\s+(?:the word\s+)?([\w.@-]*\w)/iu;

const takeGlob: Take = (parameter, reading, free) => {
  const glob = first(free, "glob");
  if (glob) return glob;
  const kind = free.find((mention) => mention.kind === "filetype");
  if (kind) return taken(`**/${kind.value}`, kind);
  const path = free.find(({ kind, value }) => kind === "path" && /[^/]\.\w+$|^[A-Z]\w+$/u.test(value));
  if (!parameter.required) return undefined;
  if (path) return taken(path.value.includes("/") ? path.value.replace(/^\.\//u, "") : `**/${path.value}`, path);
  const name = named.exec(reading.text);
  const word = name?.[1] ?? free.find((mention) => mention.kind === "quoted")?.value;
  if (word !== undefined) {
    const at = reading.text.indexOf(word);
    return taken(word.includes(".") ? `**/${word}` : `**/*${word}*`, ...within(free, at, at + word.length));
  }
  const every = /\b(?:all|every|any|the|which|what|list|how many)\s+files?\b/iu.test(reading.text);
  return every ? taken("**/*") : undefined;
};

const cue =
  /\b(?:for|containing|contains?|mention(?:s|ing)?|matching|imports?|uses?|using|the (?:word|term|text|string)|occurrences? of|say(?:s|ing)?)\s+(?:the (?:word|term|text|string)\s+)?(\S+(?:\s+\S+)*?)(?=\s+(?:in|under|inside|within|across|with|ignoring|case|from|occurs?|appears?|and)\b|[,;?]|$)/iu;
const occurs =
  /\b(?:does|is|are|do)\s+(?:the (?:word|term)\s+)?([\w-]+)\s+(?:occur|appear|used|defined|mentioned|declared|set|called)/iu;

const takeRegex: Take = (parameter, reading, free) => {
  const literal = free.find(({ kind }) => kind === "regex");
  if (literal) return taken(literal.value, literal);
  const described = describedPattern(reading, free);
  if (described) return described;
  const quotes = free.filter(({ kind }) => kind === "quoted");
  const quoted = quotes.find(({ value }) => !/^(?:path|glob|folder)$/u.test(kindOfQuoted(value) ?? "")) ?? quotes[0];
  if (quoted) return taken(atEdge(quoted, reading.text) ?? valid(quoted.value), quoted);
  const said = saidPattern(reading);
  // Which file is longest, or how many lines there are: every line counts.
  if (reading.counts && (reading.extreme || /\blines?\b/iu.test(reading.text)) && !said)
    return ofFolders.test(reading.text) ? undefined : taken("^");
  const code = first(free, "identifier", "code");
  if (code) return code;
  if (said && parameter.required)
    return taken(valid(said.value), ...within(free, said.start, said.start + said.value.length));
  // "Count them in French" looks for nothing.
  if (/^count\s+(?:it|them|these|those)\b/iu.test(reading.text)) return undefined;
  return first(free, "acronym", "id", "name");
};

/** Which folder has the most files is not told by the lines in them. */
const ofFolders =
  /\b(?:folders?|director(?:y|ies))\s+(?:has|have|is|are|with|holds?|contains?)\b|\bmost\s+(?:files|folders|entries)\b/iu;

/** What the described file holds: a quote or a name of code in its words, else these words. */
function describedPattern({ described, text, mentions }: Reading, free: readonly Mention[]): Taken | undefined {
  if (!described) return undefined;
  const { start, end } = described;
  const inside = within(free, start, end);
  const name = inside.find(({ kind }) => kind === "quoted") ?? inside.find(({ kind }) => telling.has(kind));
  if (name) return taken(valid(name.value), name);
  const words = described.one ? looseWords(text.slice(start, end)) : plainWords(text.slice(start, end));
  return words === undefined ? undefined : taken(words, ...within(mentions, start, end));
}

const telling: ReadonlySet<string> = new Set(["identifier", "id", "url", "email"]);

/** What is looked for, where it is not quoted: "search for hello world in src". A file is no such thing. */
function saidPattern({ text, mentions }: Reading): { readonly value: string; readonly start: number } | undefined {
  const found = cue.exec(text) ?? occurs.exec(text);
  const value = found?.[1];
  if (!found || value === undefined || /^(?:files?|it|them|lines?|the)\b/iu.test(value)) return undefined;
  const start = found.index + found[0].indexOf(value);
  const files = within(mentions, start, start + value.length).some(({ kind }) =>
    /^(?:glob|filetype|path|folder)$/u.test(kind),
  );
  return files ? undefined : { value, start };
}

/** "Lines starting with …", "ending in …": the text at the edge of a line. */
function atEdge({ value, start }: Mention, text: string): string | undefined {
  const lead = text.slice(Math.max(0, start - 30), start);
  if (/\b(?:start(?:s|ing)?|begin(?:s|ning)?) (?:with|in|by)\s*$/iu.test(lead)) return `^${escaped(value)}`;
  return /\bend(?:s|ing)? (?:with|in|by|on)\s*$/iu.test(lead) ? `${escaped(value)}$` : undefined;
}

/** A regular expression that compiles, as it is; else the text itself. */
function valid(pattern: string): string {
  try {
    new RegExp(pattern, "u");
    return pattern;
  } catch {
    return escaped(pattern);
  }
}

const takePath: Take = ({ about }, _reading, free) => {
  const path = first(free, "path");
  // What takes files alone gets no folder.
  if (path || (about.has("fil") && !about.has("folder") && !about.has("directory"))) return path;
  return first(
    free.filter(({ kind }) => kind !== "quoted"),
    "folder",
  );
};

const takeFolder: Take = (_parameter, _reading, free) => {
  const folders = free.filter(({ kind, value }) => kind !== "path" || !/\w\.\w+$/u.test(value));
  const found = first(folders, "folder", "path");
  return found && { ...found, value: String(found.value).replace(/(?<=.)\/$/u, "") };
};

const takeExpression: Take = (_parameter, reading, free) => {
  const quoted = first(free, "quoted");
  if (quoted) return quoted;
  const found = formulaIn(reading.text);
  if (!found) return undefined;
  return taken(reading.text.slice(found.start, found.end), ...within(free, found.start, found.end));
};

const announced = /\b(?:code|script|javascript|js|run|execute|eval|evaluate|snippet|expression|command)\s*:?\s*$/iu;

/** What is given to be run: between backticks, or in other quotes behind a word that says so. */
const takeCommand: Take = (_parameter, { text }, free) => {
  const quotes = free.filter(({ kind, value }) => kind === "quoted" && value !== "");
  const quoted =
    quotes.find(({ start }) => /[`\uE000]/u.test(text[start] ?? "")) ??
    quotes.find(({ start }) => announced.test(text.slice(Math.max(0, start - 20), start)));
  return quoted && taken(quoted.value, quoted);
};

/** Such code, else plain arithmetic. */
const takeCode: Take = (parameter, reading, free) => {
  const given = takeCommand(parameter, reading, free);
  const sum = given ? undefined : arithmeticIn(reading.text);
  const code = sum && codeOf(reading.text.slice(sum.start, sum.end));
  return sum && code !== undefined ? taken(code, ...within(free, sum.start, sum.end)) : given;
};

const only =
  (...kinds: readonly MentionKind[]): Take =>
  (_parameter, _reading, free) =>
    first(free, ...kinds);

/** How strings of a telling kind are found. */
export const stringTakes: { readonly [K in ParameterKind]?: Take } = {
  glob: takeGlob,
  regex: takeRegex,
  path: takePath,
  folder: takeFolder,
  url: only("url"),
  email: only("email"),
  expression: takeExpression,
  code: takeCode,
  command: takeCommand,
};
