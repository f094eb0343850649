import type { ResolvedMenu } from "../menu/menu.ts";
import type { Warning } from "./model-of.ts";
import type { ExecOptions } from "./options.ts";

type Choice = ExecOptions["toolChoice"];

/** The choice without tools that were left out of the menu, which nobody can pick; the same one if it names none. */
export function choiceWithout(choice: Choice, { leftOut, menu }: ResolvedMenu, warnings: Warning[]): Choice {
  if (leftOut.length === 0 || choice === undefined || choice === null) return choice;
  const told = (left: Choice, of: string, to: string): Choice => {
    const gone = leftOut.map(({ name }) => name).join(", ");
    warnings.push({ code: "tool_choice", message: `The choice ${of} was taken for ${to}: ${gone} was left out.` });
    return left;
  };
  if (choice === "required") return menu.names.length > 0 ? choice : told("auto", '"required"', '"auto"');
  if (typeof choice === "string") return choice;
  const wanted: unknown = Array.isArray(choice) ? choice : [(choice as { readonly name?: unknown }).name];
  if (!Array.isArray(wanted)) return choice;
  const left = wanted.filter((name) => !leftOut.some((one) => one.name === name));
  if (left.length === wanted.length) return choice;
  return left.length > 0
    ? told(left, `of ${wanted.join(", ")}`, `that of ${left.join(", ")}`)
    : told("auto", `of ${wanted.join(", ")}`, '"auto"');
}
