/** The part of the setup of a world that says errors, and where in the code they were made; see `worldSetup`. */
export const worldErrors = String.raw`/** Columns of the first line that are not the code's own. */
let shift = 0;

/** A frame of a stack as a place in the code: undefined for one of the engine, or of what stands around the code. */
function placeOf(frame, isEnd) {
  const from = lastIndexOf(frame, "code:");
  if (indexOf(frame, "    at ") !== 0 || from < 0) return undefined;
  const numbers = split(slice(frame, from + 5, frame[frame.length - 1] === ")" ? -1 : undefined), ":");
  const row = +numbers[0], column = +numbers[1] - (row === 1 ? shift : 0);
  if (!(row >= 1)) return undefined;
  if (row > ownLines) return isEnd ? "at the end of the code" : undefined;
  const where = "line " + row + (column >= 1 ? ", column " + column : column < 1 ? ", column 1" : "");
  const name = slice(frame, 7, from - 2);
  return name === "" || name === "<eval>" || name === "<anonymous>" ? "at " + where : "at " + name + " (" + where + ")";
}

/** An error: name, message, where; its causes. */
function errorText(error, depth = 0) {
  const text = (key) => ask(() => { const value = error[key]; return typeof value === "string" ? value : undefined; });
  const name = text("name") ?? "Error", message = text("message") ?? "", stack = text("stack") ?? "";
  let told = message === "" ? name : name + ": " + message;
  const lines = split(slice(stack, 0, 5000), "\n");
  for (let i = 0, shown = 0; i < lines.length && shown < 6; i++) {
    const place = placeOf(lines[i], shown === 0 && name === "SyntaxError");
    if (place === undefined) continue;
    told += "\n    " + place;
    shown++;
  }
  const cause = ask(() => error.cause);
  if (cause !== undefined && depth < 3) told += "\nCause: " + (isError(cause) ? errorText(cause, depth + 1) : inspected(cause));
  return told;
}`;
