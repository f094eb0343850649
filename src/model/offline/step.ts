import type { Done } from "./history.ts";
import type { Reading } from "./reading.ts";

/** A finished step: the clause it was made for, and its call; `several`: the clause made others too, so none of them is "it". */
export type Step = { readonly reading: Reading; readonly done: Done; readonly several?: boolean };
