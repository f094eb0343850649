import { askedFor } from "../asks.ts";
import type { MenuTool } from "../entry.ts";
import type { ApprovalMode } from "./mode.ts";
import { isOutside } from "./paths.ts";
import { parseRule } from "./rule.ts";
import { covers, type Pattern, patternOf, type Subjects, touches } from "./subject.ts";

/** A rule, ready to be matched. */
type Ready = {
  readonly text: string;
  readonly tool: string;
  /** Whether this is the tool's name, however it is spelled. */
  readonly means: (name: string) => boolean;
  readonly pattern: Pattern | undefined;
};

/** The rules of one runtime. */
export type RuleSet = {
  /** The folder that its patterns for files are relative to; undefined: that of the run. */
  readonly root?: string | undefined;
  readonly deny: readonly Ready[];
  readonly ask: readonly Ready[];
  readonly allow: readonly Ready[];
  readonly mode: ApprovalMode | undefined;
};

/** The rules of a runtime that has none: what tools say of themselves counts. */
export const noRules: RuleSet = { deny: [], ask: [], allow: [], mode: undefined };

/** Throws `invalid_option` for a rule that cannot be read. */
export function ruleSet(
  rules: {
    readonly deny?: readonly string[];
    readonly ask?: readonly string[];
    readonly allow?: readonly string[];
    readonly mode?: ApprovalMode;
  },
  root?: string,
): RuleSet {
  const { deny = [], ask = [], allow = [], mode } = rules;
  return { root, deny: deny.map(readyRule), ask: ask.map(readyRule), allow: allow.map(readyRule), mode };
}

function readyRule(text: string): Ready {
  const { tool, pattern } = parseRule(text);
  return { text, tool, means: askedFor([tool]), pattern: pattern === undefined ? undefined : patternOf(pattern) };
}

/** A call that is judged. */
export type Judged = {
  readonly tool: MenuTool;
  /** The name by which it was called: an option's may be another than the tool's own. */
  readonly name: string;
  /** Of a deferred tool: all that a call of `call_tool` says when it stands for this one. */
  readonly through?: Through | undefined;
  /** What it is about, for rules that are meant in this folder (undefined: its own); found out when a pattern has to know. */
  readonly subjects: (root: string | undefined) => Subjects;
};

/** The tool that calls deferred ones, by which a rule may mean them all. */
export type Through = { readonly name: string; readonly subjects: () => Subjects };

/** What rules say of a call. `own`: that the tool decides itself; `otherwise` what happens if it wants nobody to be asked. */
export type Judgement =
  | { readonly do: "deny"; readonly reason: string }
  | { readonly do: "ask" | "run" }
  | { readonly do: "own"; readonly otherwise: "ask" | "run" };

/** What all these sets say together: the strictest of denying, asking, running. */
export function judge(sets: readonly RuleSet[], call: Judged): Judgement {
  const all = sets.map((set) => judgeBy(set, call));
  const [first] = all;
  if (first && all.length === 1) return first;
  const own = all.filter((one) => one.do === "own");
  return (
    all.find((one) => one.do === "deny") ??
    all.find((one) => one.do === "ask") ??
    own.find((one) => one.otherwise === "ask") ??
    own[0] ??
    first ?? { do: "own", otherwise: "run" }
  );
}

/** The first line that speaks of the call decides. */
function judgeBy({ root, deny, ask, allow, mode }: RuleSet, call: Judged): Judgement {
  const { tool } = call;
  const denied = deny.find((rule) => mayBeAbout(rule, call, root));
  if (denied) return { do: "deny", reason: `the rule "${denied.text}" forbids it` };
  if (mode === "read-only" && !tool.readOnly)
    return { do: "deny", reason: "only tools that change nothing may run here (mode read-only)" };
  if (ask.some((rule) => mayBeAbout(rule, call, root))) return { do: "ask" };
  if (allow.some((rule) => isAbout(rule, call, root)) || mode === "all") return { do: "run" };
  const asks = !tool.readOnly && (mode === "ask" || (mode === "accept-edits" && !isEdit(call, root)));
  return { do: "own", otherwise: asks ? "ask" : "run" };
}

/** A rule that lets calls run takes the tool's own name, as it is. */
const isAbout = ({ tool, pattern }: Ready, call: Judged, root: string | undefined): boolean =>
  tool === call.tool.name && (pattern === undefined || covers(pattern, call.subjects(root)));

/** One that keeps them from it takes any spelling of any name that the call goes by, and files by the folder of the call too. */
const mayBeAbout = ({ means, pattern }: Ready, call: Judged, root: string | undefined): boolean => {
  const { tool, name, through, subjects } = call;
  if (through && means(through.name) && (pattern === undefined || touches(pattern, through.subjects()))) return true;
  if (!(means(tool.name) || means(name))) return false;
  return pattern === undefined || touches(pattern, subjects(root)) || touches(pattern, subjects(undefined));
};

const edits: readonly string[] = ["write_file", "edit_file"];

/** Whether a call changes the text of a file in the workspace. */
function isEdit({ tool, subjects }: Judged, root: string | undefined): boolean {
  if (!edits.includes(tool.name)) return false;
  const { own } = subjects(root);
  return own.kind === "path" && own.forms?.some(isOutside) === false;
}
