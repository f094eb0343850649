import { changed, fitsText, type Pieces, piecesOf } from "./pattern.ts";

/** A pattern for the text of commands, ready to be matched. */
export type CommandPattern = { readonly pieces: Pieces; readonly plain: Pieces };

export function commandPattern(pattern: string): CommandPattern {
  const pieces = piecesOf(pattern);
  return { pieces, plain: changed(pieces, (text) => plain(text)) };
}

/**
 * Whether a command fits a rule that lets it run: whole. With a star it must be one simple command: `npm test *` is not
 * to let `npm test; rm -rf .` run.
 */
export function fitsCommand({ pieces }: CommandPattern, command: string): boolean {
  const stars = pieces.some((piece) => typeof piece !== "string");
  if (stars && /[;&|`$()<>{}\r\n]/.test(command)) return false;
  return fitsText(pieces, command) || (stars && fitsText(pieces, `${command} `));
}

/**
 * Whether a command may do what a rule speaks of: whole, or from the start of any word in any of the commands that it is
 * made of, without quotes, whatever the case. So `rm *` is found in `cd x && sudo /bin/rm -rf y`. A command whose program
 * is only known to the shell (`$X`, `sudo r?`) counts as well. What another program makes of its input is not seen.
 */
export function mayFitCommand({ pieces, plain: wanted }: CommandPattern, command: string): boolean {
  if (fitsText(pieces, command)) return true;
  const parts = command
    .replace(/\\\r?\n/g, "")
    .replaceAll("`", " $(")
    .split(/[;&|()<>\r\n]/);
  return parts.some((part) => {
    const text = plain(part).trim();
    return isUnreadable(text) || startsAnywhere(wanted, text) || startsAnywhere(wanted, `${text} `);
  });
}

/** Without what makes no difference to a shell. */
const plain = (text: string): string =>
  text
    .replace(/["'\\]/g, "")
    .replace(/\s+/g, " ")
    .toLowerCase();

const namesIn = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const before = namesIn("{ ! then do else elif if while until time exec command coproc");

/** Programs that run the one behind them, with options of their own in front of it. */
const runners = namesIn(
  "env sudo doas nohup nice timeout xargs setsid stdbuf builtin busybox ionice chrt taskset unshare strace ltrace",
);

/** Those that take a whole line, or have a word of their own before the program. */
const evaluators = namesIn("eval trap ssh su watch flock parallel script chroot nsenter runuser");

const shells = namesIn("sh bash dash zsh ksh mksh ash fish");

const isPassedOver = (word: string): boolean => before.has(word) || /^[a-z_]\w*\+?=/.test(word);

/** Whether only the shell knows which program it is. */
function isUnreadable(text: string): boolean {
  const words = text.split(" ");
  let at = 0;
  let behind = false;
  // How many words may be the program: behind an option there may be its value first.
  let mayBe = 1;
  for (; at < words.length; at++) {
    const word = words[at]!;
    const name = word.slice(word.lastIndexOf("/") + 1);
    if (evaluators.has(name)) return words.slice(at).some(isExpanded);
    if (shells.has(name) && words.slice(at).some((one) => /^-[a-z]*c/.test(one)))
      return words.slice(at).some(isExpanded);
    if (name === "find") return words.some((one, i) => i > 0 && isExpanded(one) && /^-(?:exec|ok)/.test(words[i - 1]!));
    if (runners.has(name)) behind = true;
    else if (behind && word.startsWith("-")) mayBe = 2;
    else if (!(isPassedOver(word) || (word.startsWith("-") && at > 0) || (behind && /^[\d.]+[smhd]?$/.test(word))))
      break;
  }
  return words.slice(at, at + mayBe).some(isExpanded);
}

const isExpanded = (word: string): boolean => /[$*?[{]/.test(word);

function startsAnywhere(pieces: Pieces, text: string): boolean {
  const [first] = pieces;
  if (typeof first !== "string") return fitsText(pieces, text);
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    if (at > 0 && !/[\s/=]/.test(text[at - 1]!)) continue;
    if (fitsText(pieces, text, at)) return true;
    // What does not follow on the first does not follow on a later one.
    if (pieces.length > 1) return false;
  }
  return false;
}
