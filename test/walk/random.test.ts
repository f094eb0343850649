import { expect, test } from "vitest";
import { playMany } from "./random.ts";

const runs = 20_000;

test(`${runs} random schedules break no rule`, { timeout: 300_000 }, async () => {
  const seed = Number(process.env.WALK_SEED ?? Date.now() % 2 ** 31);
  console.log(`${runs} random schedules, seed ${seed}; again with WALK_SEED=${seed}, more with scripts/walk.ts`);
  await expect(playMany(runs, seed)).resolves.toBeUndefined();
});
