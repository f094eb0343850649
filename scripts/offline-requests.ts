/** How many requests of the table the offline model answers as wanted; `--failures` shows those of the tuning half that it does not. */
import { judge } from "../test/offline/judge.ts";
import { judging, tuning } from "../test/offline/requests.ts";

const [tuned, judged] = [await judge(tuning), await judge(judging)];
for (const [half, verdicts] of [
  ["tuning", tuned],
  ["held out", judged],
] as const) {
  const right = verdicts.filter((verdict) => verdict.right).length;
  const uncalledFor = verdicts.flatMap((verdict) => verdict.uncalledFor).length;
  const none = verdicts.filter(({ entry }) => entry.steps.length === 0);
  const quiet = none.filter(({ calls }) => calls.length === 0).length;
  console.log(
    `${half}: ${right} of ${verdicts.length}; nothing picked where nothing fits: ${quiet} of ${none.length}; writing tools uncalled for: ${uncalledFor}`,
  );
}
if (process.argv.includes("--failures"))
  for (const { entry, calls } of tuned.filter(({ right }) => !right))
    console.log(`\n${entry.request}\n  ${calls.join("\n  ") || "nothing"}\n  wanted: ${JSON.stringify(entry.steps)}`);
