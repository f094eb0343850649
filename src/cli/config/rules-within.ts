import { sep } from "node:path";
import { literally } from "../../menu/approval/pattern.ts";
import { parseRule, ruleText } from "../../menu/approval/rule.ts";

/**
 * Denials of a project for a run in a folder inside of it. Patterns for files are meant from the project's folder, and
 * read from the run's; so each goes a second time with its whole path. What is no pattern for files fits nothing then.
 */
export function rulesWithin(rules: readonly string[], project: string, folder: string): readonly string[] {
  if (folder === project) return rules;
  const base = literally(project.replaceAll(sep, "/").replace(/\/$/, ""));
  return rules.flatMap((text) => {
    const { tool, pattern } = parseRule(text);
    if (pattern === undefined || /^(?:\/|[a-z]:[\\/])/i.test(pattern)) return [text];
    return [text, ruleText(tool, `${base}/${pattern}`)];
  });
}
