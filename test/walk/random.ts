import fc from "fast-check";
import type { ReplyObject } from "../../src/testing/script.ts";
import type { Chooser } from "./chooser.ts";
import { type Arrival, type Letter, letters, type ToolLetter } from "./letters.ts";
import type { Trace } from "./log.ts";
import type { Setup } from "./setup.ts";
import { playJudged } from "./walk.ts";

/** A setup, and the answers to whatever will be asked: number after number, 0 behind the last. */
export type Schedule = { readonly setup: Setup; readonly tape: readonly number[] };

const alphabet = (Object.keys(letters) as Letter[]).filter((one) => !["text", "pick", "signed"].includes(one));
/** Messages come oftener than what ends a run. */
const often: readonly Arrival[] = ["now", "after_round", "at_end"];
const kinds: readonly Arrival[] = [...often, ...often, ...often, "abort", "deadline"];
const tools: readonly ToolLetter[] = ["ok", "throws", "slow"];
/** Replies behind which a run goes on, by themselves. */
const goOn: readonly Letter[] = alphabet.filter((letter) => {
  const { calls, stopReason = "stop", error, throwAfter }: ReplyObject = letters[letter];
  return stopReason === "pause" || (calls !== undefined && stopReason !== "refusal" && !error && !throwAfter);
});
const maybe = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });

const options = fc
  .record({
    maxIterations: maybe([-1, 0, 1, 2.5, 3, 5, 6, 7, 8, 9, 10, 12, 15, Number.POSITIVE_INFINITY]),
    atLimit: maybe(["close", "stop"] as const),
    limits: maybe([
      { toolCalls: 1 },
      { toolCalls: 3 },
      { toolCalls: 8 },
      { totalTokens: 15 },
      { totalTokens: 60 },
      { cost: 2 },
      { cost: 7 },
      { toolCalls: 6, totalTokens: 50 },
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
    rounds: fc.integer({ min: 3, max: 12 }),
    arrivals: fc.integer({ min: 0, max: 8 }),
    few: fc.boolean(),
    lateHost: fc.boolean(),
    wanted: maybe([0, 1, 2]),
    callbacks: maybe([["steering"], ["followUps"], ["steering", "followUps"]] as const),
  })
  .chain(({ few, wanted, callbacks, ...rest }) =>
    // Small alphabets repeat replies, which is what cuts, pauses and the stuck guard are about.
    fc
      .tuple(
        fc.uniqueArray(fc.constantFrom(...alphabet), { maxLength: few ? 2 : alphabet.length }),
        fc.uniqueArray(fc.constantFrom(...goOn), { minLength: 1, maxLength: few ? 2 : goOn.length }),
      )
      .map(
        ([any, going]): Setup => ({
          name: "random",
          // Replies that go on come oftener, else few traces would be long.
          letters: ["text", ...any, ...Array.from({ length: 8 + 2 * any.length }, () => going).flat()],
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
  // Long and evenly spread: what lies behind a short tape, or is 0, ends a run.
  tape: fc.noBias(fc.array(fc.nat(999), { minLength: 400, maxLength: 400 })),
});

/** Plays a schedule and judges it; resolves to its trace. */
export async function playSchedule({ setup, tape }: Schedule): Promise<Trace> {
  let next = 0;
  const chooser: Chooser = {
    pick(question, answers) {
      const number = tape[next++] ?? 0;
      // Something arrives at one point in twenty, else every trace would be over with its first points.
      const rarely = /^(steering|followUps)/.test(question) ? 4 : 20;
      const happens = answers[0] !== "nothing" || number % rarely === rarely - 1;
      const index = answers[0] === "nothing" ? Math.floor(number / rarely) : number;
      return (happens ? answers[index % answers.length] : answers[0]) as (typeof answers)[number];
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
