import { all, looks, replies, tools } from "./alphabets.ts";
import type { Letter } from "./letters.ts";
import type { Setup } from "./setup.ts";
import { asked, broken, specials } from "./specials.ts";

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

type Family = Omit<Setup, "name" | "options" | "letters">;

/** `WALK=all` walks every variant as deep as the plain one; without it, those that differ little are walked less deep. */
const whole = process.env.WALK === "all";

/** Those who differ little from the plain one, and what is left out for them. */
type Lighter = {
  readonly forced: Partial<Family>;
  readonly overlap: Partial<Family>;
  /** Replies that are left out for caps and limits, because they end a run wherever they come. */
  readonly limited?: readonly Letter[];
};

function each(family: Family, lighter?: Lighter): readonly Setup[] {
  return Object.entries(variants).map(([name, options]) => {
    const forced = options.toolChoice !== undefined && lighter?.forced;
    const overlap = options.toolExecution !== undefined && lighter?.overlap;
    const limited = options.maxIterations !== undefined || options.limits !== undefined;
    const without = (!whole && limited && lighter?.limited) || [];
    const letters = options.toolExecution === "overlap" ? looks : replies;
    return {
      name,
      letters: letters.filter((letter) => !without.includes(letter)),
      options,
      ...family,
      ...(!whole && { ...forced, ...overlap }),
    };
  });
}

const limited: readonly Letter[] = ["empty", "cutText", "refused", "error"];

/**
 * 5 rounds and nothing arrives. A forced choice and overlap do not look at whether a call failed, so that without
 * `WALK=all` their tools do not throw here; they do in the families below.
 */
export const alone = each(
  { rounds: 5, arrivals: 0, tools, kinds: [], points: "distinct" },
  { forced: { tools: ["ok"] }, overlap: { rounds: 4, tools: ["ok", "slow"] } },
);
/** 3 rounds, one arrival. */
export const oneArrival = each(
  { rounds: 3, arrivals: 1, tools, kinds: all, points: "distinct" },
  { forced: { rounds: 2 }, overlap: { rounds: 2 }, limited },
);
/** 2 rounds, two arrivals. */
export const twoArrivals = each(
  { rounds: 2, arrivals: 2, tools, kinds: all, points: whole ? "distinct" : "few" },
  { forced: { rounds: 1 }, overlap: { rounds: 1 }, limited: [...limited, "cut"] },
);
/** Smaller, but with every point and every slow tool: nothing is left out by reasoning. */
export const everywhere = each({ rounds: 1, arrivals: 1, tools, kinds: all, points: "all" });

/** Everything that is walked. */
export const families = { alone, oneArrival, twoArrivals, everywhere, specials, asked, broken };

/** Limits that runs inside of tools draw on. */
const limitsInside = broken.filter(({ name }) => name.startsWith("nested, tokens"));

/** Grows with the traces of a setup, roughly. */
const size = ({ letters, tools, rounds, arrivals }: Setup) =>
  letters.length ** Math.min(rounds, 3) * tools.length * (1 + 10 * arrivals);

/**
 * A cut through the families that speak of the table: enough to see nearly any single piece of it broken. The small ones
 * come first, so that what is broken is seen soon.
 */
export const quick: readonly Setup[] = [
  ...each({ rounds: 2, arrivals: 0, tools, kinds: [], points: "distinct" }),
  ...each({ rounds: 1, arrivals: 1, tools, kinds: all, points: "distinct" }),
  ...[...specials, ...asked, ...limitsInside].map((setup) => {
    const small = setup.wanted !== undefined || (setup.letters.length <= 3 && setup.rounds > 2);
    return small ? setup : { ...setup, rounds: setup.rounds > 4 ? setup.rounds : 1 };
  }),
].sort((a, b) => size(a) - size(b));
