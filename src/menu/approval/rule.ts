import { RondoError } from "../../error.ts";

/** A rule about calls: all of a tool, or those whose subject fits a pattern. */
export type Rule = {
  /** The tool's name. */
  readonly tool: string;
  /** As it was written, backslashes and all; absent: every call. */
  readonly pattern?: string;
};

const wrong = (text: string, what: string) =>
  new RondoError(
    "invalid_option",
    `The rule ${JSON.stringify(text)} cannot be read: ${what}. A rule is "tool" or "tool(pattern)", such as "write_file(src/**)"; a backslash before a character takes it as it is.`,
  );

/**
 * Reads a rule: `tool`, or `tool(pattern)`. The first bracket begins the pattern and the last character ends it, so
 * brackets inside need no backslash; in a tool's name they do (`a\(b\)` is the tool `a(b)`).
 *
 * @throws RondoError `invalid_option`, which quotes the rule
 */
export function parseRule(text: string): Rule {
  if (typeof text !== "string") throw wrong(String(text), "it is no text");
  let tool = "";
  let at = 0;
  for (; at < text.length && text[at] !== "("; at++) {
    if (text[at] === ")") throw wrong(text, "it closes a bracket that it does not open");
    if (text[at] === "\\" && ++at === text.length) throw wrong(text, "it ends with a backslash");
    tool += text[at];
  }
  if (tool.trim() === "") throw wrong(text, "it names no tool");
  if (tool.trim() !== tool) throw wrong(text, "there are blanks around the tool's name");
  if (at === text.length) return { tool };
  const pattern = text.slice(at + 1, -1);
  let slashes = 0;
  while (pattern[pattern.length - 1 - slashes] === "\\") slashes++;
  if (at === text.length - 1 || !text.endsWith(")") || slashes % 2 === 1)
    throw wrong(text, 'its pattern does not end with ")"');
  if (pattern.trim() === "") throw wrong(text, "its pattern is empty; for every call write the tool's name alone");
  return { tool, pattern };
}

/** The text of a rule for a tool and a pattern. */
export function ruleText(tool: string, pattern: string): string {
  return `${tool.replace(/[\\()]/g, "\\$&")}(${pattern})`;
}
