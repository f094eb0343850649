/**
 * The text after an edit without each CR that would newly stand before an LF, and so make a line end of another kind. A text
 * that has such places already is left as it is. Both with LF.
 */
export const withoutStrayCr = (before: string, after: string): string =>
  after.includes("\r\n") && !before.includes("\r\n") ? after.replace(/(?<!\r)\r+\n/g, "\n") : after;

/** What a model is told of each CR in its edits, which it may not have meant. `dropped`: some were left out. */
export function crNotes(before: string, after: string, dropped: boolean): string {
  const left = dropped ? " A CR (\\r) before a line end was left out: the file keeps its own line ends." : "";
  return countCr(after) > countCr(before) ? `${left} It has a CR (\\r) more that ends no line here.` : left;
}

function countCr(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\r"); at !== -1; at = text.indexOf("\r", at + 1)) count++;
  return count;
}
