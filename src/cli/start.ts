/** The main job of `npm start`: the command at work on this very repository, without a key and without the network. */
import { main } from "./main.ts";

const request = "Find the longest source file under src, read its first lines, then list what it exports.";
const model = process.env.RONDO_MODEL ? [] : ["--model", "offline"];
await main(["run", request, ...model, ...process.argv.slice(2)]);
