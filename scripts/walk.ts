/** Plays random schedules through the loop: `node scripts/walk.ts --runs 200000 --seed 1`. */
import { parseArgs } from "node:util";
import { playMany } from "../test/walk/random.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "200000" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
  },
});
const [runs, seed] = [Number(values.runs), Number(values.seed)];
if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(seed)) {
  console.error("--runs takes a whole number above 0, --seed a whole number.");
  process.exit(2);
}
console.log(`${runs} random schedules, seed ${seed}`);
const begun = performance.now();
await playMany(runs, seed);
console.log(`no rule broken, ${Math.round((performance.now() - begun) / 1000)} s`);
