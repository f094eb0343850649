/** Plays the requests of the table and says which were answered as wanted. */
import type { Json, JsonObject } from "../../src/message/json.ts";
import { converse } from "../../src/model/offline/offline.fixture.ts";
import { declarations, defaults, writing } from "./declarations.ts";
import { type Accepted, absent, type Entry, type WantedCall } from "./table.ts";
import { world } from "./world.ts";

export type Verdict = {
  readonly entry: Entry;
  readonly calls: readonly string[];
  readonly right: boolean;
  /** Tools that change something, picked where no wanted call does. */
  readonly uncalledFor: readonly string[];
};

type Made = { readonly name: string; readonly args: JsonObject };

export async function judge(entries: readonly Entry[]): Promise<readonly Verdict[]> {
  return Promise.all(entries.map(judged));
}

async function judged(entry: Entry): Promise<Verdict> {
  const { calls } = await converse(entry.request, world(), { tools: declarations });
  const made = calls.map(parsed);
  const right =
    made.length === entry.steps.length &&
    entry.steps.every((step, index) => step.some((wanted) => fits(wanted, made[index]!)));
  const asks = new Set(entry.steps.flat().map(({ name }) => name));
  const uncalledFor = made.map(({ name }) => name).filter((name) => writing.has(name) && !asks.has(name));
  return { entry, calls, right, uncalledFor };
}

function parsed(call: string): Made {
  const space = call.indexOf(" ");
  return { name: call.slice(0, space), args: JSON.parse(call.slice(space + 1)) as JsonObject };
}

function fits(wanted: WantedCall, made: Made): boolean {
  if (wanted.name !== made.name) return false;
  const usual = defaults[wanted.name] ?? {};
  const extra = Object.keys(made.args).filter((name) => !Object.hasOwn(wanted.args, name));
  return (
    extra.every((name) => made.args[name] === usual[name]) &&
    Object.entries(wanted.args).every(([name, accepted]) => accepts(accepted, made.args[name]))
  );
}

function accepts(accepted: Accepted | typeof absent, value: Json | undefined): boolean {
  if (accepted === absent) return value === undefined;
  if (accepted instanceof RegExp) return typeof value === "string" && accepted.test(value);
  if (typeof accepted === "object" && "oneOf" in accepted)
    return (accepted.oneOf as readonly (Accepted | typeof absent)[]).some((one) => accepts(one, value));
  if (typeof accepted === "string" && typeof value === "string") return plain(accepted) === plain(value);
  return JSON.stringify(accepted) === JSON.stringify(value);
}

/** "./src/" is "src". */
function plain(text: string): string {
  return text.replace(/^\.\/(?=.)/u, "").replace(/(?<=[^/])\/$/u, "");
}
