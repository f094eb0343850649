import { arrivals, type Letter } from "./letters.ts";
import type { Setup } from "./setup.ts";

const messages = ["now", "after_round", "at_end"] as const;
/** The alphabet that the loop is proved with. */
const replies: readonly Letter[] = ["text", "empty", "one", "two", "cut", "cutText", "refused", "paused", "error"];
const looks: readonly Letter[] = [
  "look",
  "twoLooks",
  "lookAct",
  "text",
  "empty",
  "cut",
  "cutText",
  "refused",
  "paused",
  "error",
];
const tools = ["ok", "throws", "slow"] as const;

type Options = Setup["options"];

/** The options with which everything is walked. */
const variants: { readonly [name: string]: Options } = {
  plain: {},
  "cap 1": { maxIterations: 1 },
  "cap 1 stop": { maxIterations: 1, atLimit: "stop" },
  "cap 2": { maxIterations: 2 },
  "cap 2 stop": { maxIterations: 2, atLimit: "stop" },
  overlap: { toolExecution: "overlap" },
  required: { toolChoice: "required" },
  "by name": { toolChoice: { type: "function", name: "look" } },
  "calls 1": { limits: { toolCalls: 1 } },
  "calls 2 stop": { limits: { toolCalls: 2 }, atLimit: "stop" },
};

const alphabet = (options: Options): readonly Letter[] => (options.toolExecution === "overlap" ? looks : replies);

const each = (family: string, rest: Omit<Setup, "name" | "options" | "letters">): readonly Setup[] =>
  Object.entries(variants).map(([name, options]) => ({
    name: `${family}, ${name}`,
    letters: alphabet(options),
    options,
    ...rest,
  }));

export const alone = each("5 rounds alone", { rounds: 5, arrivals: 0, tools, kinds: [], points: "distinct" });
export const oneArrival = each("3 rounds, 1 arrival", {
  rounds: 3,
  arrivals: 1,
  tools,
  kinds: [...messages, "abort"],
  points: "distinct",
});
export const twoArrivals = each("2 rounds, 2 arrivals", {
  rounds: 2,
  arrivals: 2,
  tools,
  kinds: [...messages, "abort"],
  points: "distinct",
});
export const everywhere = each("2 rounds, 1 arrival everywhere", {
  rounds: 2,
  arrivals: 1,
  tools,
  kinds: arrivals.filter((kind) => kind !== "deadline"),
  points: "all",
});
