import { type Judgement, judge, noRules, type RuleSet, ruleSet, type Through } from "../menu/approval/judge.ts";
import type { ApprovalScope } from "../menu/approval/mode.ts";
import type { CallPolicy } from "../menu/approval/policy.ts";
import { keyOf, ruleFor, type Subjects, subjectsOf } from "../menu/approval/subject.ts";
import type { MenuTool } from "../menu/entry.ts";
import { ownerOf } from "./confined.ts";
import type { Approvals } from "./options.ts";

/** Calls that a person has agreed to beforehand, by what they are about. */
export type Grants = { keys: Set<string> | undefined };

/** What a runtime keeps of approvals. */
export type RuntimeRules = {
  readonly set: RuleSet;
  /** Where its rules are meant, and those that are kept. */
  readonly workspace: string;
  /** What a person said "always" to. */
  readonly always: Grants;
  readonly onAlways: Approvals["onAlways"];
};

/** What a runtime with these options has; the rules are read now, and nobody can change them any more. */
export function rulesOf(approvals: Approvals | undefined, workspace: string): RuntimeRules {
  const set = approvals ? ruleSet(approvals, workspace) : noRules;
  return { set, workspace, always: { keys: undefined }, onAlways: approvals?.onAlways };
}

/** Where calls do their work, and who has to agree to them: the rules of all runtimes around, and what was agreed to. */
export class Policy implements CallPolicy {
  readonly sets: readonly RuleSet[];
  readonly workspace: string;
  /** Of the root run. */
  readonly run: Grants;
  /** That of the runtime whose approver is asked. */
  readonly keeper: RuntimeRules;

  constructor(sets: readonly RuleSet[], workspace: string, run: Grants, keeper: RuntimeRules) {
    this.sets = sets;
    this.workspace = workspace;
    this.run = run;
    this.keeper = keeper;
  }

  judge(tool: MenuTool, value: unknown, name: string, through?: MenuTool): Judgement {
    const { sets } = this;
    if (sets.length === 1 && sets[0] === noRules) return byTool;
    const known = new Map<string | undefined, Subjects>();
    const subjects = (root: string | undefined) => {
      const found = known.get(root) ?? this.#subjects(tool, value, root);
      known.set(root, found);
      return found;
    };
    try {
      return judge(sets, { tool, name, through: through && this.#through(through, tool, value), subjects });
    } catch {
      // What a schema made of the arguments may throw when it is read.
      return { do: "deny", reason: "whether the rules allow it could not be found out" };
    }
  }

  isGranted(tool: MenuTool, value: unknown): boolean {
    const { run, keeper } = this;
    if (!run.keys && !keeper.always.keys) return false;
    const key = keyOf(tool, this.#subjects(tool, value), this.#workspaceOf(tool));
    return key !== undefined && (run.keys?.has(key) === true || keeper.always.keys?.has(key) === true);
  }

  grant(tool: MenuTool, value: unknown, scope: ApprovalScope): Promise<void> | undefined {
    if (scope === "once") return undefined;
    const key = keyOf(tool, this.#subjects(tool, value), this.#workspaceOf(tool));
    const { always, onAlways } = this.keeper;
    const grants = scope === "always" ? always : this.run;
    if (key === undefined) return undefined;
    grants.keys ??= new Set();
    grants.keys.add(key);
    const rule = scope === "always" ? this.ruleFor(tool, value) : undefined;
    return rule === undefined || onAlways === undefined ? undefined : told(onAlways, rule);
  }

  /** The rule that covers just this call, as it is to be kept with those of the runtime whose approver is asked. */
  ruleFor(tool: MenuTool, value: unknown): string | undefined {
    const { workspace } = this.keeper;
    return ruleFor(tool, this.#subjects(tool, value, workspace), this.#workspaceOf(tool) !== workspace);
  }

  #through(through: MenuTool, tool: MenuTool, value: unknown): Through {
    const args = { name: tool.name, arguments: value };
    return { name: through.name, subjects: () => subjectsOf(through, args, this.#workspaceOf(tool)) };
  }

  #workspaceOf(tool: MenuTool): string {
    return ownerOf(tool)?.workspace ?? this.workspace;
  }

  #subjects(tool: MenuTool, value: unknown, root?: string): Subjects {
    const workspace = this.#workspaceOf(tool);
    return subjectsOf(tool, value, workspace, root ?? workspace);
  }
}

const byTool: Judgement = { do: "own", otherwise: "run" };

async function told(onAlways: NonNullable<Approvals["onAlways"]>, rule: string): Promise<void> {
  await onAlways(rule);
}

/**
 * The policy of a run. Inside of another one it is bound by everything that binds that, and asks who is asked there;
 * `inside`: that one goes on, and so does what was agreed to for it.
 */
export function policyOf(
  own: RuntimeRules,
  workspace: string,
  inherited: { readonly policy: Policy | undefined; readonly grants: Grants } | undefined,
  inside: boolean,
): Policy {
  const grants = (inside && inherited?.grants) || { keys: undefined };
  const around = inherited?.policy;
  if (!around) return new Policy([own.set], workspace, grants, own);
  const known = around.sets.includes(own.set);
  if (known && around.run === grants && around.workspace === workspace) return around;
  const sets = known ? around.sets : [...around.sets, own.set];
  return new Policy(sets, workspace, grants, around.keeper);
}
