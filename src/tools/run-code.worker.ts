import { parentPort } from "node:worker_threads";
import type { Job, Told } from "./code-job.ts";
import { loadEngine, runInWorld } from "./code-world.ts";

/** The thread that runs code: says `ready` once the engine is loaded, then takes one job after the other. */
const tell = (told: Told) => parentPort!.postMessage(told);
const engine = await loadEngine();
parentPort!.on("message", async (job: Job) => {
  tell(await runInWorld(engine, job, (begun) => tell({ begun })));
});
tell("ready");
