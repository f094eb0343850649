import { type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import { checkPresets } from "../menu/presets.ts";
import { checkApprovals } from "./check-approvals.ts";
import { checkNames, checkOptions, isRecord, mistake, names, number, shown } from "./check-options.ts";
import { asFields, sharedDefaults } from "./option-names.ts";
import type { Price, RuntimeOptions } from "./options.ts";

const known: Record<keyof RuntimeOptions, true> = {
  ...asFields(sharedDefaults),
  tools: true,
  host: true,
  approve: true,
  approvalTimeoutMs: true,
  requiresApproval: true,
  approvals: true,
  presets: true,
  toolsDisabled: true,
  workspace: true,
  allowSecrets: true,
  allowUnsafePaths: true,
  redact: true,
  recursion: true,
  prices: true,
};

/** The options of a runtime; throws for those that do not exist or hold what they cannot hold. The tools are not looked at. */
export function checkRuntimeOptions(options: RuntimeOptions): RuntimeOptions {
  checkOptions(options, known);
  const { host, approve, approvalTimeoutMs, workspace, recursion, prices } = options;
  if (host !== undefined && typeof (host as { open?: unknown } | null)?.open !== "function")
    throw mistake(`"host" must be a host such as memory(), with open(runId), not ${shown(host)}.`);
  if (approve !== undefined && typeof approve !== "function")
    throw mistake(`"approve" must be a function that answers true or false, not ${shown(approve)}.`);
  names("requiresApproval", options.requiresApproval);
  checkApprovals(options.approvals);
  names("toolsDisabled", options.toolsDisabled);
  if (options.presets !== undefined) checkPresets(options.presets);
  number("approvalTimeoutMs", approvalTimeoutMs, (n) => n > 0, "a number of milliseconds above 0");
  if (workspace !== undefined) checkWorkspace(workspace);
  for (const name of ["allowSecrets", "allowUnsafePaths", "redact"] as const) {
    const value: unknown = options[name];
    if (value !== undefined && typeof value !== "boolean")
      throw mistake(`"${name}" must be true or false, not ${shown(value)}.`);
  }
  if (recursion !== undefined) checkRecursion(recursion);
  if (prices !== undefined) checkPrices(prices);
  return options;
}

function checkWorkspace(workspace: unknown): void {
  if (typeof workspace !== "string" || workspace === "")
    throw mistake(`"workspace" must be the path of a folder, not ${shown(workspace)}.`);
  const problem = (what: string) => mistake(`"workspace": ${JSON.stringify(workspace)} ${what}.`);
  let found: Stats | undefined;
  try {
    found = statSync(workspace, { throwIfNoEntry: false });
  } catch (error) {
    throw problem(`cannot be read: ${(error as Error).message}`);
  }
  if (!found) {
    const full = resolve(workspace);
    throw problem(`is not there${full === workspace ? "" : ` (looked for ${full})`}; make the folder first`);
  }
  if (!found.isDirectory()) throw problem("is no folder");
}

function checkRecursion(recursion: unknown): void {
  if (!isRecord(recursion)) throw mistake(`"recursion" must be { maxDepth, maxRepeats }, not ${shown(recursion)}.`);
  checkNames(recursion, { maxDepth: 1, maxRepeats: 1 }, "field of recursion");
  for (const [name, value] of Object.entries(recursion))
    number(`recursion.${name}`, value, (n) => n >= 1, "a number of at least 1");
}

const priced: Record<keyof Price, true> = { input: true, output: true, cacheRead: true, cacheWrite: true };

function checkPrices(prices: unknown): void {
  if (typeof prices === "function") return;
  if (!isRecord(prices))
    throw mistake(`"prices" must be such as { "anthropic/claude-sonnet-5": { input, output } }, not ${shown(prices)}.`);
  for (const [id, price] of Object.entries(prices)) checkPrice(price, `prices[${JSON.stringify(id)}]`);
}

/** Throws a mistake for what is no price; `where` says where it stands. */
export function checkPrice(price: unknown, where: string): void {
  if (!isRecord(price))
    throw mistake(`${where} must be { input, output } in units per million tokens, not ${shown(price)}.`);
  checkNames(price, priced, `field of ${where}`);
  for (const name of Object.keys(priced) as (keyof Price)[]) {
    const amount = price[name];
    const optional = name === "cacheRead" || name === "cacheWrite";
    if ((amount === undefined && optional) || (typeof amount === "number" && amount >= 0 && amount < Infinity))
      continue;
    throw mistake(`${where}.${name} must be a number of at least 0, not ${shown(amount)}.`);
  }
}
