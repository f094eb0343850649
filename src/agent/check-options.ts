import { RondoError } from "../error.ts";
import type { Budget, LoopConfig } from "../loop/state.ts";
import type { RequestToolChoice } from "../model/model.ts";
import { nearestNames } from "../ranker/nearest.ts";
import { agentDefaultNames, asFields } from "./option-names.ts";
import type { ExecOptions, Limits, RuntimeOptions } from "./options.ts";

const known: Record<keyof ExecOptions, true> = {
  ...asFields(agentDefaultNames),
  toolChoice: true,
  toolChoiceScope: true,
  messages: true,
  getSteeringMessages: true,
  getFollowUpMessages: true,
  signal: true,
  key: true,
  choices: true,
  output: true,
};

const later: readonly string[] = ["chat"];

export const mistake = (message: string) => new RondoError("invalid_option", message);

/** True for an object that has fields: no array, no function. */
export const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Throws for a field that is none of these names; `what` is what it would be, such as `option`. */
export function checkNames(fields: object, allowed: object, what: string): void {
  for (const name of Object.keys(fields)) {
    if (Object.hasOwn(allowed, name)) continue;
    const [near] = nearestNames(name, Object.keys(allowed), 1);
    const hint = near === undefined ? `There are ${Object.keys(allowed).join(", ")}.` : `Did you mean "${near}"?`;
    throw mistake(`There is no ${what} "${name}". ${hint}`);
  }
}

/** Throws for options that do not exist, are not there yet, or hold what they cannot hold. */
export function checkOptions(options: ExecOptions | RuntimeOptions, allowed: object = known): void {
  if (!isRecord(options)) throw mistake(`Options must be an object, not ${shown(options)}.`);
  for (const name of Object.keys(options)) {
    if (later.includes(name)) throw new RondoError("not_yet", `The option "${name}" is not there yet.`);
  }
  checkNames(options, allowed, "option");
  const o = options as ExecOptions;
  text("toolset", o.toolset);
  oneOf("toolChoiceScope", o.toolChoiceScope, ["once", "round"]);
  oneOf("atLimit", o.atLimit, ["close", "stop"]);
  oneOf("toolExecution", o.toolExecution, ["sequential", "overlap"]);
  oneOf("parallelToolCalls", o.parallelToolCalls, [true, false, "strict"]);
  if (o.tools !== undefined && o.toolset !== undefined) throw mistake('Give "tools" or "toolset", not both.');
  if (o.tools !== undefined && !Array.isArray(o.tools)) {
    throw new RondoError(
      "invalid_tool",
      `"tools" must be an array of tools and names, not ${shown(o.tools)}; for a preset give toolset, such as "full" or "none".`,
    );
  }
  names("toolsAllow", o.toolsAllow);
  names("toolsDeny", o.toolsDeny);
  number("deferAbove", o.deferAbove, (n) => n >= 0, "a number of tokens of at least 0, or Infinity");
  number("maxIterations", o.maxIterations, (n) => !Number.isNaN(n), "a number, or Infinity for no cap");
  number("timeoutMs", o.timeoutMs, (n) => n > 0, "a number of milliseconds above 0");
  number("maxOutputTokens", o.maxOutputTokens, (n) => Number.isInteger(n) && n > 0, "a whole number above 0");
  number("temperature", o.temperature, (n) => n >= 0 && n < Infinity, "a number of at least 0");
  for (const name of ["getSteeringMessages", "getFollowUpMessages", "onRetry"] as const) {
    if (o[name] !== undefined && typeof o[name] !== "function") throw mistake(`"${name}" must be a function.`);
  }
  if (o.signal !== undefined && !(o.signal instanceof AbortSignal)) throw mistake('"signal" must be an AbortSignal.');
  text("system", o.system, true);
  text("toolsSource", o.toolsSource);
  text("key", o.key);
  oneOf("effort", o.effort, ["none", "minimal", "low", "medium", "high", "xhigh"]);
  checkModel(o.model);
  checkStuck(o.stuck);
  checkLimits(o.limits);
  checkProviderOptions(o.providerOptions);
}

function text(name: string, value: unknown, mayBeEmpty = false): void {
  if (value === undefined || (typeof value === "string" && (mayBeEmpty || value !== ""))) return;
  throw mistake(`"${name}" must be text${mayBeEmpty ? "" : " that is not empty"}, not ${shown(value)}.`);
}

function oneOf(name: string, value: unknown, allowed: readonly unknown[]): void {
  if (value === undefined || allowed.includes(value)) return;
  throw mistake(`"${name}" must be ${allowed.map((a) => JSON.stringify(a)).join(" or ")}, not ${shown(value)}.`);
}

/** Not `every` on the array itself, which would pass over holes. */
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && Array.from(value as readonly unknown[]).every((item) => typeof item === "string");

export function names(name: string, value: unknown): void {
  if (value === undefined || isTexts(value)) return;
  throw mistake(`"${name}" must be an array of tool names, not ${shown(value)}.`);
}

/** Throws unless the option is absent or a number that is good; `wanted` says which those are. */
export function number(name: string, value: unknown, good: (n: number) => boolean, wanted: string): void {
  if (value === undefined || (typeof value === "number" && good(value))) return;
  throw mistake(`"${name}" must be ${wanted}, not ${shown(value)}.`);
}

function checkModel(model: unknown): void {
  if (model === undefined || typeof model === "string") return;
  if (isRecord(model) && typeof model.id === "string" && typeof model.stream === "function") return;
  if (Array.isArray(model))
    throw mistake('"model" is one model; for several give fallback([…]), the first to ask first.');
  throw mistake(
    `"model" must be a name such as "anthropic/claude-sonnet-5" or a model with id and stream, not ${shown(model)}.`,
  );
}

function checkStuck(stuck: unknown): void {
  if (stuck === undefined || typeof stuck === "boolean") return;
  const endAfter = isRecord(stuck) ? stuck.endAfter : undefined;
  if (typeof endAfter === "number" && Number.isInteger(endAfter) && endAfter >= 2) return;
  throw mistake(`"stuck" must be true, false or { endAfter: a whole number of at least 2 }, not ${shown(stuck)}.`);
}

function checkLimits(limits: Limits | undefined): void {
  if (limits === undefined) return;
  if (!isRecord(limits)) throw mistake(`"limits" must be { toolCalls, totalTokens, cost }, not ${shown(limits)}.`);
  checkNames(limits, { toolCalls: 1, totalTokens: 1, cost: 1 }, "limit");
  for (const [name, value] of Object.entries(limits)) number(`limits.${name}`, value, (n) => n > 0, "a number above 0");
  number("limits.toolCalls", limits.toolCalls, (n) => n >= 1, 'at least 1 (to allow no calls, give toolset "none")');
}

function checkProviderOptions(options: unknown): void {
  if (options === undefined || (isRecord(options) && Object.values(options).every(isRecord))) return;
  throw mistake(`"providerOptions" must be such as { openai: { … } }, not ${shown(options)}.`);
}

/** A value in an error, in short. */
export function shown(value: unknown): string {
  if (typeof value === "number" || value === undefined) return String(value);
  try {
    return JSON.stringify(value)?.slice(0, 80) ?? typeof value;
  } catch {
    return typeof value;
  }
}

/** The choice as requests carry it; throws where the menu has nothing to satisfy it. */
export function requestChoice(choice: ExecOptions["toolChoice"], menu: readonly string[]): RequestToolChoice {
  if (choice === undefined || choice === "auto" || choice === "none") return choice ?? "auto";
  if (choice === "required") {
    if (menu.length === 0) throw mistake('toolChoice "required" needs a tool, and this run has none.');
    return choice;
  }
  const wanted = Array.isArray(choice)
    ? choice
    : isRecord(choice) && choice.type === "function"
      ? [choice.name]
      : undefined;
  if (!isTexts(wanted) || wanted.length === 0) {
    throw mistake(
      `"toolChoice" must be "auto", "required", "none", { type: "function", name } or an array of names, not ${shown(choice)}.`,
    );
  }
  for (const name of wanted) {
    if (!menu.includes(name))
      throw mistake(`toolChoice: there is no tool "${name}" in this run. The tools are: ${menu.join(", ") || "none"}.`);
  }
  return { type: "function", names: wanted };
}

/** The constants of the loop. */
export function loopConfig(
  o: ExecOptions,
  toolChoice: RequestToolChoice,
  deadlineAt: number | undefined,
  wanted: string | undefined,
): LoopConfig {
  return {
    maxRounds: Math.max(1, Math.floor(o.maxIterations ?? 20)),
    atLimit: o.atLimit ?? "close",
    toolChoice,
    toolChoiceScope: o.toolChoiceScope ?? "once",
    firstCallOnly: o.parallelToolCalls === "strict",
    overlap: o.toolExecution === "overlap" ? 8 : 1,
    guard: o.stuck !== false,
    endAfter: typeof o.stuck === "object" ? o.stuck.endAfter : Infinity,
    reasks: 1,
    asksSteering: o.getSteeringMessages !== undefined,
    asksFollowUps: o.getFollowUpMessages !== undefined,
    ...(wanted !== undefined && { wanted }),
    ...(deadlineAt !== undefined && { deadlineAt }),
  };
}

export function budgetOf(limits: Limits | undefined): Budget {
  if (!limits) return {};
  const { toolCalls, totalTokens: tokens, cost } = limits;
  return {
    ...(toolCalls !== undefined && { toolCalls: Math.floor(toolCalls) }),
    ...(tokens !== undefined && { tokens }),
    ...(cost !== undefined && { cost }),
  };
}
