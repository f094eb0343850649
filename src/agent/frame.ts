import { RondoError } from "../error.ts";

/** How deep agents may nest, to stop what would never stop. */
export type Recursion = {
  /** Methods inside each other, and runs inside each other. Default 16. */
  readonly maxDepth?: number;
  /** How often one method may stand on one path. Default 5. */
  readonly maxRepeats?: number;
};

/** A method that is going on, and those that it is inside of. */
export type Frame = {
  readonly method: object;
  readonly name: string;
  readonly depth: number;
  readonly outer: Frame | undefined;
};

const defaults = { maxDepth: 16, maxRepeats: 5 };

/** One level deeper. Throws `recursion`, naming the path, where that is too deep. */
export function deeper(method: object, name: string, outer: Frame | undefined, limits: Recursion | undefined): Frame {
  const { maxDepth = defaults.maxDepth, maxRepeats = defaults.maxRepeats } = limits ?? defaults;
  const frame: Frame = { method, name, depth: (outer?.depth ?? 0) + 1, outer };
  if (frame.depth > maxDepth) {
    throw tooDeep(frame, `methods are nested more than ${maxDepth} levels deep`, "maxDepth");
  }
  let repeats = 0;
  for (let at: Frame | undefined = frame; at; at = at.outer) if (at.method === method) repeats++;
  if (repeats > maxRepeats)
    throw tooDeep(frame, `"${name}" is inside itself more than ${maxRepeats} times`, "maxRepeats");
  return frame;
}

/** Throws `recursion` for a run that is nested too deep, whatever it was begun by. */
export function checkDepth(runsAround: number, frame: Frame | undefined, limits: Recursion | undefined): void {
  const { maxDepth = defaults.maxDepth } = limits ?? defaults;
  if (runsAround > maxDepth) throw tooDeep(frame, `runs are nested more than ${maxDepth} levels deep`, "maxDepth");
}

function tooDeep(frame: Frame | undefined, what: string, option: keyof Recursion): RondoError {
  const path = frame ? ` Path: ${pathOf(frame)}.` : "";
  return new RondoError(
    "recursion",
    `Stopped a recursion without end: ${what}.${path} If that is meant, raise recursion.${option} of the runtime.`,
  );
}

function pathOf(frame: Frame): string {
  const names: string[] = [];
  for (let at: Frame | undefined = frame; at; at = at.outer) names.push(at.name);
  return names.reverse().join(" > ");
}
