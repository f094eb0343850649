import { type Command, cac } from "cac";
import { nearestNames } from "../ranker/nearest.ts";
import { examples, notes, optionTable } from "./help.ts";
import { modelsExamples, modelsNotes, modelsOptionTable } from "./models-help.ts";
import { type ModelsSettings, modelsSettingsOf } from "./models-settings.ts";
import { type RunSettings, settingsOf } from "./settings.ts";
import { toolsExamples, toolsNotes, toolsOptionTable } from "./tools-help.ts";
import { type ToolsSettings, toolsSettingsOf } from "./tools-settings.ts";
import { trustExamples, trustNotes, trustOptionTable } from "./trust-help.ts";
import { type TrustSettings, trustSettingsOf } from "./trust-settings.ts";
import { type KnownOption, typedArguments } from "./typed-arguments.ts";
import { usageError } from "./usage-error.ts";

/** What a command line asks for. */
export type Invocation =
  | { readonly command: "help"; readonly print: () => void }
  | { readonly command: "version" }
  | { readonly command: "run"; readonly settings: RunSettings }
  | { readonly command: "models"; readonly settings: ModelsSettings }
  | { readonly command: "tools"; readonly settings: ToolsSettings }
  | { readonly command: "trust"; readonly settings: TrustSettings };

/** Reads the arguments behind `rondo`. Mistakes throw a `RondoError` of code `invalid_option`. */
export function parseArguments(args: readonly string[]): Invocation {
  const cli = cac("rondo");
  const run = cli.command("run [...prompt]", "Run the tool-call loop on a prompt until the model has an answer");
  for (const [spelling, description] of optionTable) run.option(spelling, description);
  for (const example of examples) run.example(example);
  const models = cli.command("models [...words]", "List the local models, add <url or path>, or remove <name>");
  for (const [spelling, description] of modelsOptionTable) models.option(spelling, description);
  for (const example of modelsExamples) models.example(example);
  const tools = cli.command("tools [...words]", "List the tools that a run would have, and why others are left out");
  for (const [spelling, description] of toolsOptionTable) tools.option(spelling, description);
  for (const example of toolsExamples) tools.example(example);
  const trust = cli.command(
    "trust [...folder]",
    "Let the rondo.config.json of a project use its own modules and model",
  );
  for (const [spelling, description] of trustOptionTable) trust.option(spelling, description);
  for (const example of trustExamples) trust.example(example);
  cli.option("-h, --help", "Show this help");
  cli.option("-v, --version", "Show the version");
  // Absent stands for the default everywhere; cac would print "default: true" behind --no-color.
  for (const option of [...run.options, ...models.options, ...tools.options, ...trust.options])
    delete option.config.default;
  cli.globalCommand.helpCallback = (sections) => {
    const [, ...own] = sections;
    const more = [
      { command: run, notes },
      { command: models, notes: modelsNotes },
      { command: tools, notes: toolsNotes },
      { command: trust, notes: trustNotes },
    ].find(({ command }) => command === cli.matchedCommand);
    const all = [...own, ...(more?.notes ?? [])];
    return all.map((section) => ({ ...section, body: section.body.replace(/ +$/gm, "") }));
  };

  const meant = [models, tools, trust].find((command) => command.name === args[0]) ?? run;
  const known = [...knownOptions(meant), ...knownOptions(cli.globalCommand)];
  const { options, words } = typedArguments(args, known, `rondo ${meant.name} --help`);
  const [name, ...prompt] = words;
  const parsed = cli.parse(["", "rondo", ...(name === undefined ? [] : [name]), ...options], { run: false });

  if (parsed.options.version === true) return { command: "version" };
  if (parsed.options.help === true || name === undefined || name === "help") {
    return { command: "help", print: () => cli.outputHelp() };
  }
  if (cli.matchedCommand === models) return { command: "models", settings: modelsSettingsOf(prompt, parsed.options) };
  if (cli.matchedCommand === tools) return { command: "tools", settings: toolsSettingsOf(prompt, parsed.options) };
  if (cli.matchedCommand === trust) return { command: "trust", settings: trustSettingsOf(prompt, parsed.options) };
  if (cli.matchedCommand !== run) throw unknownCommand(name, cli.commands);
  return { command: "run", settings: settingsOf(prompt, parsed.options) };
}

function knownOptions(command: Command): readonly KnownOption[] {
  return command.options.map((option) => ({
    spellings: option.rawName.match(/(?<![\w-])--?[a-z][a-z0-9-]*/g) ?? [],
    takesValue: option.isBoolean !== true,
  }));
}

function unknownCommand(name: string, commands: readonly Command[]): Error {
  const names = commands.map((command) => command.name);
  const [near] = nearestNames(name, names, 1);
  const hint = near === undefined ? `a prompt goes behind "rondo run"` : `did you mean "rondo ${near}"?`;
  return usageError(`unknown command "${name.split("\n")[0]?.slice(0, 40)}"; ${hint}`);
}
