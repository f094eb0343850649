import type { Job } from "./code-job.ts";

/** What the engine itself threw: code that broke it, or a limit that it could not tell the code about. */
export function explained(error: unknown, memoryBytes: number): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof RangeError && /call stack/.test(message))
    return "InternalError: stack overflow: it nests too deeply.";
  if (/out of memory|memory allocation|Cannot enlarge memory/i.test(message)) return outOfMemory(memoryBytes);
  return `The engine could not run this code: ${message}.`;
}

export const outOfMemory = (bytes: number): string =>
  `InternalError: out of memory: it may hold ${bytes / 1024 / 1024} MB.`;

/** Names that code expects from its surroundings and that are not there. */
const surroundings =
  /^ReferenceError: '?(setTimeout|setInterval|setImmediate|fetch|require|process|Buffer|module|exports|window|document|XMLHttpRequest|URL|Intl|performance|structuredClone|TextEncoder|TextDecoder|WebAssembly|crypto|Deno|Bun|__dirname|__filename)'? is not defined|^ReferenceError: could not load module/;

/** What the code threw, for the model, with what may have been meant. */
export function hinted(text: string, { code, memoryBytes }: Job): string {
  if (text.startsWith("InternalError: out of memory")) return outOfMemory(memoryBytes);
  if (surroundings.test(text)) {
    return `${text}\n[This is plain JavaScript: no timers, network, files, modules, Node or browser APIs.]`;
  }
  if (text.startsWith("SyntaxError") && /^[ \t]*(import|export)\b/m.test(code)) {
    return `${text}\n[Modules cannot be used here: write a script without import and export.]`;
  }
  return text;
}
