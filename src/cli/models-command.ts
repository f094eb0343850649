import { RondoError } from "../error.ts";
import { addModel, type ListedModel, listModels, removeModel } from "../model/local/model-store.ts";
import { modelsFolder } from "../model/local/models-folder.ts";
import { interruptedExitCode } from "./exit-code.ts";
import type { ModelsSettings } from "./models-settings.ts";
import { progressLine } from "./progress-line.ts";
import { shownSize } from "./shown-size.ts";
import { listenToSignals } from "./signals.ts";
import { harmless } from "./terminal-text.ts";

/** `rondo models`: resolves to the exit code; rejects with what is wrong. */
export async function modelsCommand(settings: ModelsSettings): Promise<number> {
  const folder = modelsFolder(process.env);
  if (settings.action === "list") {
    process.stdout.write(harmless(table(await listModels(folder))));
    return 0;
  }
  if (settings.action === "remove") {
    const { file } = await removeModel(folder, settings.name);
    process.stdout.write(`removed ${settings.name}${file ? "" : "; its file stays where it is"}\n`);
    return 0;
  }
  return add(folder, settings);
}

async function add(folder: string, settings: Extract<ModelsSettings, { action: "add" }>): Promise<number> {
  const interrupted = new AbortController();
  listenToSignals(() => (interrupted.signal.aborted ? process.exit(interruptedExitCode) : interrupted.abort()));
  const progress = progressLine(process.stderr);
  try {
    const model = await addModel(folder, { ...settings, signal: interrupted.signal, onProgress: progress.tell });
    progress.end();
    process.stdout.write(harmless(`added ${model.name}: rondo run --model local/${model.name} …\n`));
    if (settings.unchecked) process.stderr.write(`rondo: nobody checked the file; its SHA-256 is ${model.sha256}\n`);
    return 0;
  } catch (error) {
    progress.end();
    if (!interrupted.signal.aborted || RondoError.isInstance(error)) throw error;
    process.stderr.write("rondo: interrupted; what came so far is kept: add it again to go on\n");
    return interruptedExitCode;
  }
}

function table(models: readonly ListedModel[]): string {
  if (models.length === 0) return "No local models. Add one: rondo models add <url or path>\n";
  const rows = models.map(({ name, size, quantisation = "?", path, there }) => [
    name,
    shownSize(size),
    quantisation,
    there ? path : `${path} (gone)`,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return `${rows.map(line).join("\n")}\n`;
}
