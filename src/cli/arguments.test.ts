import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RondoError } from "../error.ts";
import { parseArguments } from "./arguments.ts";
import { optionTable } from "./help.ts";
import type { RunSettings } from "./settings.ts";

function settings(...args: string[]): RunSettings {
  const invocation = parseArguments(["run", ...args]);
  if (invocation.command !== "run") throw new Error(`not a run but ${invocation.command}`);
  return invocation.settings;
}

test.each([
  [[], "help"],
  [["--help"], "help"],
  [["-h"], "help"],
  [["help"], "help"],
  [["run", "--help"], "help"],
  [["run", "x", "-h"], "help"],
  [["--version"], "version"],
  [["-v"], "version"],
])("%j asks for %s", (args, command) => {
  expect(parseArguments(args).command).toBe(command);
});

test("every option is read", () => {
  const line =
    "find it --model a/b --tools grep,glob --deny x,y --tool-choice required --max-iterations 7 --at-limit stop --system S --cwd /tmp --timeout 2m --yes --json --quiet --no-color";
  expect(settings(...line.split(" "))).toEqual({
    words: ["find", "it"],
    model: "a/b",
    folder: resolve("/tmp"),
    yes: true,
    readOnly: false,
    deny: ["x", "y"],
    json: true,
    quiet: true,
    color: false,
    exec: {
      tools: [{ named: "grep" }, { named: "glob" }],
      toolsDeny: ["x", "y"],
      toolChoice: "required",
      maxIterations: 7,
      atLimit: "stop",
      system: "S",
      timeoutMs: 120_000,
    },
  });
});

test("without options everything has its default", () => {
  expect(settings("hi")).toEqual({
    words: ["hi"],
    folder: process.cwd(),
    yes: false,
    readOnly: false,
    json: false,
    quiet: false,
    color: true,
    exec: {},
  });
});

test("-a and --agent name a file, seen from the current folder; without one that is there it is a mistake", () => {
  const file = relative(process.cwd(), fileURLToPath(import.meta.url));
  for (const spelling of [["-a", file], ["--agent", file], [`--agent=${file}`]]) {
    expect(settings("x", ...spelling, "--cwd", "/")).toMatchObject({ words: ["x"], agent: resolve(file) });
  }
  expect(() => settings("x", "-a", "no/such.ts")).toThrow(/^--agent: there is no file .*such\.ts$/);
  expect(() => settings("x", "-a", "\u0000.ts")).toThrow(/^--agent: .* cannot be read: /);
  expect(() => settings("x", "--agent=")).toThrow("--agent: the path is empty");
  expect(() => settings("x", "-a", file, "--agent", file)).toThrow("--agent was given 2 times; once is enough");
  expect(() => settings("x", "-a")).toThrow("-a needs a value");
});

test("--toolset", () => {
  expect(settings("x", "--toolset", "none").exec).toEqual({ toolset: "none" });
  // Which presets there are is known with the configuration.
  expect(settings("x", "--toolset", "mine").exec).toEqual({ toolset: "mine" });
  expect(() => settings("x", "--toolset=none", "--tools=grep")).toThrow("give --tools or --toolset, not both");
});

describe("values stay as they were typed", () => {
  test("an empty list of tools does not take the next word", () => {
    expect(settings("--tools=", "007")).toMatchObject({ words: ["007"], exec: { tools: [] } });
    expect(settings("--tools", "", "x")).toMatchObject({ words: ["x"], exec: { tools: [] } });
  });

  test("a switch takes no word", () => {
    expect(settings("--json", "true")).toMatchObject({ words: ["true"], json: true });
    expect(settings("--yes", "0123")).toMatchObject({ words: ["0123"], yes: true });
  });

  test("values may look like numbers, begin with a dash, hold = and line ends", () => {
    expect(settings("--system", "01.0").exec.system).toBe("01.0");
    expect(settings("--system", "- be brief").exec.system).toBe("- be brief");
    expect(settings("--system=a=b\nc").exec.system).toBe("a=b\nc");
    expect(settings("--max-iterations", "-1").exec.maxIterations).toBe(-1);
  });

  test("behind -- everything is a word, and - is one", () => {
    expect(settings("a", "-", "--", "--json", "--").words).toEqual(["a", "-", "--json", "--"]);
  });

  test("any text comes through, as a word and as a value", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (word, value) => {
        const read = settings("--yes", `--system=${value}`, "--", word, "--json");
        expect(read.words).toEqual([word, "--json"]);
        expect(read.exec.system).toBe(value);
      }),
      { numRuns: 500 },
    );
  });
});

test("the first model that is named is the model, the others stand behind it in order", () => {
  expect(settings("x", "-m", "a/b")).toMatchObject({ model: "a/b" });
  expect(settings("x", "-m", "a/b")).not.toHaveProperty("fallbacks");
  expect(settings("x", "-m", "a/b", "--model=c/d", "-m", "e/f")).toMatchObject({
    model: "a/b",
    fallbacks: ["c/d", "e/f"],
  });
  expect(() => settings("x", "-m", "a/b", "-m", " ")).toThrow("--model: the name is empty");
  expect(() => settings("x", "-m", "a/b", "-m", "a/b")).toThrow('--model: "a/b" was given twice; once is enough');
});

test("lists add up, other options are given once", () => {
  expect(settings("x", "--deny", "a", "--deny=b,c").exec.toolsDeny).toEqual(["a", "b", "c"]);
  const denied = settings("x", "--deny", "grep, bash(rm *, y),write_file(a,(b),c)", "--deny=b");
  expect(denied.exec.toolsDeny).toEqual(["grep", "b"]);
  expect(denied.deny).toEqual(["grep", "bash(rm *, y)", "write_file(a,(b),c)", "b"]);
  expect(settings("x", "--deny", "bash(rm *)").exec).not.toHaveProperty("toolsDeny");
  for (const wrong of ["bash(", "bash()", "ba)sh", "(x)"])
    expect(() => settings("x", "--deny", wrong)).toThrow("--deny");
  expect(() => settings("x", "--cwd", "a", "--cwd", "b")).toThrow("--cwd was given 2 times; once is enough");
});

test.each([
  [["--frobnicate"], /^unknown option --frobnicate; see rondo run --help/],
  [["run", "x", "--modle", "y"], "unknown option --modle; did you mean --model?"],
  [["run", "x", "--maxIterations", "3"], "unknown option --maxIterations; did you mean --max-iterations?"],
  [["run", "x", "--system.a=1"], /^unknown option --system\.a/],
  [["run", "-x"], /^unknown option -x/],
  [["rum", "x"], 'unknown command "rum"; did you mean "rondo run"?'],
  [["what is this"], 'unknown command "what is this"; a prompt goes behind "rondo run"'],
  [["run", "x", "--model"], /^--model needs a value/],
  [["run", "x", "--model", "--json"], /^--model needs a value/],
  [["run", "x", "--system", "--model=a"], /^--system needs a value/],
  [["run", "x", "--json=yes"], "--json takes no value"],
  [["run", "x", "--model="], "--model: the name is empty"],
  [["run", "x", "--cwd="], "--cwd: the path is empty"],
])("%j is a usage error", (args, message) => {
  expect(() => parseArguments(args)).toThrow(message);
  try {
    parseArguments(args);
  } catch (error) {
    expect(RondoError.isInstance(error) && error.code).toBe("invalid_option");
  }
});

test("every option in the help is understood", () => {
  for (const [spelling] of optionTable) {
    for (const name of spelling.match(/--?[a-z][a-z-]*/g) ?? []) {
      const line = spelling.includes("<") ? [name, "\u0000"] : [name];
      expect(() => settings("x", ...line)).not.toThrow(/unknown option/);
    }
  }
});

test("--read-only is read; with --yes it makes no sense", () => {
  expect(settings("--read-only", "hi")).toMatchObject({ readOnly: true, yes: false });
  expect(() => settings("--read-only", "--yes", "hi")).toThrow("give --yes or --read-only, not both");
});
