/**
 * Reviews what a range of commits changes in the repository of the current folder: by default the last commit. Exit code 1
 * if something serious was found, 2 if there is nothing to review.
 *
 *     node examples/review.ts main..HEAD            (RONDO_MODEL names a real model)
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { exec, type Model, type ModelRequest, tool } from "rondo";
import { type ScriptedReply, scripted } from "rondo/testing";
import { z } from "zod";

process.on("uncaughtException", (error: Error & { stderr?: string }) => {
  console.error(error.stderr || error.message); // no repository, no such range: git says it
  process.exit(2);
});
const git = async (...args: string[]) =>
  (await promisify(execFile)("git", ["-c", "core.quotePath=false", ...args], { maxBuffer: 64e6 })).stdout;
const range = process.argv[2];
const to = range?.split(/\.{2,3}/)[1] || "HEAD";
const style = ["--no-color", "--no-ext-diff", "--dst-prefix="];
const named = ["diff", ...style, "--end-of-options", range?.includes("..") ? range : `${range}..HEAD`];
const diff = await git(...(range ? named : ["show", ...style, "--format=", "-m", "--first-parent", "HEAD"]));

/** The diff with the number that each line has in the new file: models are bad at counting. */
function numbered(text: string): string {
  let next = 0; // 0: not in a hunk
  const lines = text.split("\n").map((line) => {
    if (line.startsWith("diff --git ")) next = 0;
    const hunk = /^@@ -\S+ \+(\d+)/.exec(line);
    const bare = hunk || next === 0 || /^[-\\]/.test(line);
    if (hunk) next = Number(hunk[1]);
    return `${bare ? "" : next++}\t${line}`;
  });
  return lines.join("\n");
}

const readAround = tool({
  name: "read_around",
  description: "The lines around a line of a file, as they are behind the change.",
  input: z.object({ file: z.string(), line: z.int().min(1) }),
  readOnly: true,
  async execute({ file, line }) {
    const lines = (await git("show", `${to}:${file}`)).split("\n"); // from the commit: nothing else can be asked for
    const start = Math.max(0, line - 20);
    return lines
      .slice(start, start + 40)
      .map((text, at) => `${start + at + 1}\t${text}`)
      .join("\n");
  },
});

const Findings = z.array(
  z.object({ file: z.string(), line: z.int().min(1), severity: z.enum(["high", "medium", "low"]), text: z.string() }),
);

/** A stand-in, so that this runs without a key: it only knows what is often left over. */
function reply({ messages: [prompt, ...more] }: ModelRequest): ScriptedReply {
  const findings: z.infer<typeof Findings> = [];
  let file = "";
  for (const row of `${prompt?.content}`.split("\n")) {
    file = /^\t\+\+\+ (.+?)\t?$/.exec(row)?.[1] ?? file;
    const [, line, word] = /^(\d+)\t\+.*?(<<<<<<<|debugger|FIXME|TODO)/.exec(row) ?? [];
    const severity = word === "TODO" || word === "FIXME" ? "low" : "high";
    if (word) findings.push({ file, line: Number(line), severity, text: `${word} is left.` });
  }
  const first = findings[0];
  if (first && more.length === 0)
    return { calls: [{ name: "read_around", arguments: { file: first.file, line: first.line } }] };
  return JSON.stringify(findings);
}
const standIn: Model = { id: "stand-in", stream: (request, signal) => scripted([reply]).stream(request, signal) };

const prompt = `Review this diff; read around a line before you judge it.\n\n${numbered(diff)}`;
const model = process.env.RONDO_MODEL || standIn;
const findings = await exec(prompt, { model, tools: [readAround], output: Findings });
for (const { file, line, severity, text } of findings) console.log(`${file}:${line} ${severity}: ${text}`);
if (findings.length === 0) console.log("Nothing found.");
process.exitCode = findings.some(({ severity }) => severity === "high") ? 1 : 0;
