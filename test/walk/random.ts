import fc from "fast-check";
import type { Chooser } from "./chooser.ts";
import { type Arrival, type Letter, letters, type ToolLetter } from "./letters.ts";
import type { Trace } from "./log.ts";
import type { Setup } from "./setup.ts";
import { playJudged } from "./walk.ts";

/** A setup, and the answers to whatever will be asked: number after number, 0 behind the last. */
export type Schedule = { readonly setup: Setup; readonly tape: readonly number[] };

const alphabet = (Object.keys(letters) as Letter[]).filter((letter) => letter !== "text");
const kinds: readonly Arrival[] = ["now", "after_round", "at_end", "abort", "deadline"];
const tools: readonly ToolLetter[] = ["ok", "throws", "slow"];
const goesOn = (letter: Letter) => "calls" in letters[letter] || letter === "paused";
const maybe = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });

const options = fc
  .record({
    maxIterations: maybe([-1, 0, 1, 2, 2.5, 3, 5, 8, Number.POSITIVE_INFINITY]),
    atLimit: maybe(["close", "stop"] as const),
    limits: maybe([
      { toolCalls: 1 },
      { toolCalls: 3 },
      { totalTokens: 15 },
      { totalTokens: 40 },
      { cost: 2 },
      { toolCalls: 4, totalTokens: 30 },
    ]),
    toolExecution: fc.constantFrom("sequential" as const, "overlap" as const),
    toolChoice: maybe([
      "none" as const,
      "required" as const,
      { type: "function" as const, name: "look" },
      ["look", "sign"] as const,
    ]),
    toolChoiceScope: maybe(["once", "round"] as const),
    parallelToolCalls: maybe([true, false, "strict"] as const),
    stuck: maybe([false, true, { endAfter: 2 }, { endAfter: 3 }]),
    timeoutMs: maybe([100_000_000]),
  })
  .map(
    (given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Setup["options"],
  );

const setup = fc
  .record({
    options,
    rounds: fc.integer({ min: 1, max: 12 }),
    arrivals: fc.integer({ min: 0, max: 6 }),
    few: fc.boolean(),
    lateHost: fc.boolean(),
    wanted: maybe([0, 1, 2]),
    callbacks: maybe([["steering"], ["followUps"], ["steering", "followUps"]] as const),
  })
  .chain(({ few, wanted, callbacks, ...rest }) =>
    // Small alphabets repeat replies, which is what cuts, pauses and the stuck guard are about.
    fc.uniqueArray(fc.constantFrom(...alphabet), { minLength: 1, maxLength: few ? 3 : alphabet.length }).map(
      (chosen): Setup => ({
        name: "random",
        // Replies that go on come oftener, else few traces would be long.
        letters: ["text", ...chosen, ...[1, 2, 3].flatMap(() => chosen.filter(goesOn))],
        tools,
        kinds: kinds.filter((kind) => kind !== "deadline" || rest.options.timeoutMs !== undefined),
        points: "all",
        ...(wanted !== undefined && { wanted }),
        ...(callbacks !== undefined && { callbacks }),
        ...rest,
      }),
    ),
  );

/** Any schedule: deeper than what is walked whole, with several arrivals and mixed options. */
export const schedules: fc.Arbitrary<Schedule> = fc.record({
  setup,
  tape: fc.array(fc.nat(999), { maxLength: 300, size: "max" }),
});

/** Plays a schedule and judges it; resolves to its trace. */
export async function playSchedule({ setup, tape }: Schedule): Promise<Trace> {
  let next = 0;
  const chooser: Chooser = {
    pick(_question, answers) {
      const number = tape[next++] ?? 0;
      // Something arrives at one point in thirteen, else every trace would be over with its first points.
      const rare = answers[0] === "nothing";
      const index = rare ? (number % 13 === 12 ? number % answers.length : 0) : number % answers.length;
      return answers[index] as (typeof answers)[number];
    },
  };
  return playJudged(setup, chooser);
}

/**
 * Plays random schedules; throws at the first that breaks a rule, made as small as possible unless `shrink` is false.
 * `onTrace` is called behind each.
 */
export async function playMany(
  runs: number,
  seed: number,
  { shrink = true, onTrace = () => {} }: { readonly shrink?: boolean; readonly onTrace?: () => void } = {},
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      await playSchedule(schedule);
      onTrace();
    }),
    { numRuns: runs, seed, endOnFailure: !shrink },
  );
}
