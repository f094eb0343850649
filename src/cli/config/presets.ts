import { checkPresets, ownPresets } from "../../menu/presets.ts";
import { thrownMessage } from "../../message/thrown-text.ts";
import { type Check, isRecord, listOf, object, type Report, recordOf, text } from "./check.ts";
import { below } from "./parse-json.ts";

const taken: readonly string[] = ["full", "none", ...Object.keys(ownPresets)];

const shape = recordOf(
  object({ includes: listOf(text("the name of a preset")), tools: listOf(text("the name of a tool")) }),
);

/** Presets by name, none of which is that of one that every runtime has; what they include is in the same file. */
export const presets: Check = (value, at, report) => {
  let problems = 0;
  const told: Report = (where, problem) => {
    problems++;
    report(where, problem);
  };
  shape(value, at, told);
  if (!isRecord(value)) return;
  for (const name of Object.keys(value))
    if (taken.includes(name)) told(below(at, name), "is a preset that there is already; give yours another name");
  if (problems > 0) return;
  try {
    checkPresets(value);
  } catch (error) {
    report(at, `are not right: ${thrownMessage(error)}`);
  }
};
