/** Two tools, a nested agent, text as it streams, a message on the way, a cap of five rounds. */
import { readFile } from "node:fs/promises";
import { Agent, tool } from "rondo";
import { z } from "zod";

const csv = (table: string) => readFile(new URL(`data/${table}.csv`, import.meta.url), "utf8");
const routes = tool({ name: "routes", description: "List routes.", execute: () => csv("routes") });
const climate = tool({ name: "climate", description: "Climate.", execute: () => csv("climate") });

class Scout extends Agent {
  bestSeason = this.method({ input: z.object({ city: z.string() }) }, ({ city }) =>
    this.runtime.exec(`Which season is best in ${city}? Use climate.`, { tools: [climate] }),
  );
}
class Planner extends Agent {
  plan = this.method({ input: z.object({ goal: z.string() }) }, ({ goal }) =>
    this.runtime.exec(goal, { tools: [routes, new Scout().bestSeason], maxIterations: 5 }),
  );
}
const run = new Planner().plan.run({ goal: "Find the best season for Nice, then list routes." });
for await (const e of run) {
  if (e.type === "message_update" && e.update.type === "text") process.stdout.write(e.update.delta);
  if (e.type === "tool_start" && e.call.name === "bestSeason") run.send("List train routes.");
}
console.log("\n%s", await run.result.then(({ outcome, error }) => error?.message ?? outcome));
