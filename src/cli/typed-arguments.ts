import { nearestNames } from "../ranker/nearest.ts";
import { usageError } from "./usage-error.ts";

/** What is known of an option: its spellings, such as `--help` and `-h`, and whether it takes a value. */
export type KnownOption = { readonly spellings: readonly string[]; readonly takesValue: boolean };

/** Arguments, sorted: options as the parser is to see them, and the words between them. */
export type TypedArguments = { readonly options: readonly string[]; readonly words: readonly string[] };

/**
 * Put before each value, so that the parser takes it for text: it would turn `007` into 7, take the next word for the
 * value of `--tools=`, and a word behind a switch for the value of the switch.
 */
const mark = ":";

/** The value of an option as it was typed. */
export function unmarked(value: string): string {
  return value.slice(mark.length);
}

/**
 * Sorts arguments into options and words, so that every value and every word of a prompt stays as it was typed. Behind
 * `--` everything is a word. Unknown options, missing values and values that nobody wants are usage errors.
 */
export function typedArguments(
  args: readonly string[],
  known: readonly KnownOption[],
  help = "rondo run --help",
): TypedArguments {
  const options: string[] = [];
  const words: string[] = [];
  const bySpelling = new Map(
    known.flatMap((option) => option.spellings.map((spelling) => [spelling, option] as const)),
  );

  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? "";
    if (argument === "--") {
      words.push(...args.slice(index + 1));
      break;
    }
    if (argument === "-" || !argument.startsWith("-")) {
      words.push(argument);
      continue;
    }
    const equals = argument.startsWith("--") ? argument.indexOf("=") : -1;
    const name = equals === -1 ? argument : argument.slice(0, equals);
    const option = bySpelling.get(name);
    if (option === undefined) throw unknownOption(name, [...bySpelling.keys()], help);
    if (!option.takesValue) {
      if (equals !== -1) throw usageError(`${name} takes no value`);
      options.push(name);
      continue;
    }
    const value = equals === -1 ? args[++index] : argument.slice(equals + 1);
    if (value === undefined || (equals === -1 && (value === "--" || bySpelling.has(value.split("=")[0] ?? "")))) {
      throw usageError(`${name} needs a value; see ${help}`);
    }
    // By its long name: the parser would take the short one for another option.
    options.push(`${option.spellings.at(-1)}=${mark}${value}`);
  }
  return { options, words };
}

function unknownOption(name: string, known: readonly string[], help: string): Error {
  const [near] = nearestNames(name, known, 1);
  if (near !== undefined) return usageError(`unknown option ${name}; did you mean ${near}?`);
  return usageError(`unknown option ${name}; see ${help} (a prompt that begins with a dash goes behind --)`);
}
