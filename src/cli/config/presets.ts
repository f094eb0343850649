import { ownPresets } from "../../menu/presets.ts";
import { type Check, isRecord, listOf, object, recordOf, text } from "./check.ts";
import { below } from "./parse-json.ts";

const taken: readonly string[] = ["full", "none", ...Object.keys(ownPresets)];

const shape = recordOf(
  object({ includes: listOf(text("the name of a preset")), tools: listOf(text("the name of a tool")) }),
);

/** Presets by name, none of which is that of one that every runtime has. */
export const presets: Check = (value, at, report) => {
  shape(value, at, report);
  if (!isRecord(value)) return;
  for (const name of Object.keys(value))
    if (taken.includes(name)) report(below(at, name), "is a preset that there is already; give yours another name");
};
