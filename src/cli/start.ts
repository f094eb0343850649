/** The main job of `npm start`: the command at work on this very repository, without a key and without the network. */
import { main } from "./main.ts";

const request =
  "Count the lines of the files matching src/loop/*.ts, read the head of the longest one, then grep \"export\" in it.";

const model = process.env.RONDO_MODEL ? [] : ["--model", "offline"];
await main(["run", request, ...model, ...process.argv.slice(2)]);
