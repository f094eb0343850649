/** Models in this process: `rondo/local`. */
export { type LocalModel, type LocalOptions, local } from "./local.ts";
