import { stem } from "../../ranker/stem.ts";

/** What a verb asks for. The families of the second row change something outside. */
export type Family =
  | "read"
  | "list"
  | "find"
  | "search"
  | "count"
  | "get"
  | "compute"
  | "create"
  | "change"
  | "delete"
  | "send"
  | "run"
  | "trade";

const verbs: { readonly [F in Family]: string } = {
  read: "read show open print view display see head peek load cat dump",
  list: "list ls enumerate dir",
  find: "find locate discover glob",
  search: "search grep scan query lookup mention contain",
  count: "count tally",
  get: "get fetch retrieve check give tell obtain return look say report",
  compute: "calculate compute evaluate convert solve determine estimate translate measure compare",
  create:
    "create write add insert save append make compose draft open file raise record register remember store note upload generate put schedule arrange",
  change:
    "change replace modify update rename edit patch fix set turn switch toggle adjust swap substitute enable disable dim move configure apply reset increase decrease",
  delete: "delete remove erase drop clear cancel purge destroy",
  send: "send mail email post publish notify message reply forward share invite push",
  run: "run execute start launch stop restart kill deploy install shutdown",
  trade: "book reserve order buy pay purchase transfer schedule sell charge refund",
};

const writing: ReadonlySet<Family> = new Set<Family>(["create", "change", "delete", "send", "run", "trade"]);
// Verbs that are nouns as often: as the first word of a tool's name they say little.
const nouns = new Set(
  "order post book mail email message file record note schedule run set patch charge share head cat store query"
    .split(" ")
    .map(stem),
);

const byVerb = new Map<string, Set<Family>>();
for (const [family, list] of Object.entries(verbs)) {
  for (const verb of list.split(" ")) {
    const key = stem(verb);
    byVerb.set(key, (byVerb.get(key) ?? new Set<Family>()).add(family as Family));
  }
}

const plainVerbs = new Set(Object.values(verbs).flatMap((list) => list.split(" ")));

/** True for a verb of ours as it stands in a demand: "write", not "writing". */
export function isPlainVerb(word: string): boolean {
  return plainVerbs.has(word);
}

const none: ReadonlySet<Family> = new Set();

/** The stems of all verbs that belong to a family. */
export const verbStems: Iterable<string> = [...byVerb.keys()];

/** The families of a word, by its stem; empty for a word that is no verb of ours. */
export function familiesOf(stemmed: string): ReadonlySet<Family> {
  return byVerb.get(stemmed) ?? none;
}

/** True for families that change something outside. */
export function isWriting(family: Family): boolean {
  return writing.has(family);
}

/** True for verbs that are as often nouns. */
export function isNounish(stemmed: string): boolean {
  return nouns.has(stemmed);
}

/** Words that say nothing about what is wanted. Compared before stemming. */
export const stopWords: ReadonlySet<string> = new Set(
  `a an the this that these those it its they them their he she his her i i'd i'm me my mine we us our you your and or but not no
  of in on at to for from by with without under over into onto as is are was were be been being am do does did done doing have has had
  having can could will would shall should may might must if then than so such there here what's that's let's all any both each few more
  most other some only own same too very just also please now what which who whom whose when where why how about up out off down
  one ones thing things want wants need needs like exactly using use used via per
  pls plz thanks whats wheres hows im id ive there's here's inside somewhere anywhere somehow able help maybe instead back again`.split(
    /\s+/,
  ),
);

/** What well-known names of commands mean, for tools that are called so. */
export const commandWords: { readonly [name: string]: string } = {
  grep: "search text content occurrence contain mention line count",
  glob: "find locate file",
  ls: "list folder directory",
  dir: "folder directory",
  cat: "read show file",
};

/** Other words for the same thing, each asked for at a lower weight. */
export const synonyms: { readonly [word: string]: string } = {
  folder: "directory dir",
  directory: "folder dir",
  occurs: "occurrence match",
  occur: "occurrence match",
  contents: "content read",
  email: "mail",
  mail: "email",
  temperature: "weather",
  forecast: "weather",
  lamp: "light",
  meeting: "event appointment",
  meetings: "event appointment",
  appointment: "event",
  exchange: "convert",
  defined: "search occurrence",
  declared: "search occurrence",
  insensitive: "ignore case",
  insensitively: "ignore case",
};

/** Names of folders that are understood without the word "folder". */
export const folderNames: ReadonlySet<string> = new Set(
  "src lib test tests docs doc examples bench scripts dist build bin app apps packages public assets web data config tools server client".split(
    " ",
  ),
);

/** What a kind of file is called, as a pattern for its name. */
export const fileKinds: { readonly [kind: string]: string } = {
  typescript: "*.ts",
  javascript: "*.{js,mjs,cjs}",
  python: "*.py",
  rust: "*.rs",
  markdown: "*.md",
  json: "*.json",
  yaml: "*.{yml,yaml}",
  text: "*.txt",
  csv: "*.csv",
  html: "*.html",
  css: "*.css",
  shell: "*.sh",
  test: "*.{test,spec}.*",
  source: "*.{ts,tsx,js,jsx,mjs,py,rs,go,java,c,cpp}",
};

/** Endings of file names that make a word a file. */
export const extensions =
  "tsx|ts|mts|cts|jsx|js|mjs|cjs|jsonl|json|mdx|md|txt|csv|tsv|yaml|yml|toml|lock|html|css|scss|py|rs|go|java|kt|cpp|hpp|cs|rb|php|sh|sql|xml|svg|png|jpeg|jpg|gif|pdf|log|ini|cfg|conf|vue|svelte|swift|lua|ipynb|sqlite|zip|wasm";

/** Things that source files hold, as a pattern of the lines that hold them. */
export const codeWords: { readonly [word: string]: string } = {
  exports: "^export\\b",
  exported: "^export\\b",
  imports: "^import\\b",
  imported: "^import\\b",
  functions: "\\bfunction\\b",
  classes: "\\bclass\\b",
  todos: "TODO",
  todo: "TODO",
  fixme: "FIXME",
  headings: "^#",
};

/** What currencies are called, as patterns, and their codes. The plain names come last: a dollar is a US dollar. */
export const currencies: readonly (readonly [string, string])[] = [
  ["canadian dollar", "CAD"],
  ["australian dollar", "AUD"],
  ["new zealand dollar", "NZD"],
  ["singapore dollar", "SGD"],
  ["hong kong dollar", "HKD"],
  ["(?:us|american|u\\.s\\.)? ?dollar", "USD"],
  ["euro", "EUR"],
  ["(?:british|sterling)? ?pound", "GBP"],
  ["(?:japanese)? ?yen", "JPY"],
  ["(?:swiss)? ?franc", "CHF"],
  ["(?:indian)? ?rupee", "INR"],
  ["(?:chinese)? ?yuan", "CNY"],
  ["mexican peso", "MXN"],
  ["swedish kron(?:a|or)", "SEK"],
  ["norwegian kron(?:e|er)", "NOK"],
  ["danish kron(?:e|er)", "DKK"],
];
