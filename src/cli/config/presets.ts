import { type Check, listOf, object, recordOf, text } from "./check.ts";

/** A menu by name: what other presets have, then these tools. */
export type Preset = { readonly includes?: readonly string[]; readonly tools?: readonly string[] };

export type Presets = { readonly [name: string]: Preset };

/** Names that mean something already. */
const taken: readonly string[] = ["full", "none", "default", "coding", "research", "safe"];

const preset = object({ includes: listOf(text("the name of a preset")), tools: listOf(text("the name of a tool")) });

export const presets: Check = (value, at, report) => {
  recordOf((one, here, tell) => {
    preset(one, here, tell);
  })(value, at, report);
  for (const name of typeof value === "object" && value !== null ? Object.keys(value) : [])
    if (taken.includes(name)) report(`${at}.${name}`, "is a preset that there is already; give yours another name");
};
