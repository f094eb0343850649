import { row14, row15 } from "./rows-asks.ts";
import { row6, row7, row8, row9 } from "./rows-calls.ts";
import { row1, row2, row3, row4, row5 } from "./rows-ends.ts";
import { row10, row11, row12, row13 } from "./rows-texts.ts";
import type { Rule } from "./story.ts";

/**
 * The table of the loop, row by row, as what must be seen from outside of any run: each predicate stands beside the
 * sentence of its row, and knows nothing of the code.
 */
export const rows: { readonly [name: string]: Rule } = {
  row1,
  row2,
  row3,
  row4,
  row5,
  row6,
  row7,
  row8,
  row9,
  row10,
  row11,
  row12,
  row13,
  row14,
  row15,
};
