import { styleText } from "node:util";

export type Style = "dim" | "red" | "yellow" | "green" | "cyan" | "bold";

/** Puts a text into a colour, or leaves it. */
export type Paint = (style: Style, text: string) => string;

/**
 * Whether to use colours: `--no-color` says no; then `FORCE_COLOR` decides (`0` and `false` say no), then a `NO_COLOR`
 * that is not empty says no, then it depends on the stream being a terminal that is not `dumb`.
 */
export function wantsColor(
  allowed: boolean,
  env: { readonly [name: string]: string | undefined },
  isTerminal: boolean,
): boolean {
  if (!allowed) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  if (env.NO_COLOR) return false;
  return isTerminal && env.TERM !== "dumb";
}

export function painter(colors: boolean): Paint {
  // The choice is made: styleText is not to ask the stream and the environment once more.
  return colors ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;
}
