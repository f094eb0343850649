/**
 * Research over a folder of documents. The order is code: plan, then an answer to each question, then the report. What to
 * ask, where to look and what to make of it is up to the model.
 *
 *     node examples/research.ts "limits, steering and outcomes" docs            (RONDO_MODEL names a real model)
 */
import { join } from "node:path";
import { Agent, createRuntime, type Model, type ModelRequest } from "rondo";
import { type ScriptedReply, scripted } from "rondo/testing";
import { z } from "zod";

/** Works on so many items at once; results are in the order of the items. */
async function each<T, R>(items: readonly T[], atOnce: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries(); // shared: each of the workers takes what is next
  const worker = async () => {
    for (const [at, item] of queue) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

class Research extends Agent {
  plan = this.method({ input: z.object({ topic: z.string() }) }, ({ topic }) =>
    this.runtime.exec(`Plan which questions to answer from the documents about: ${topic}`, {
      tools: [],
      output: z.array(z.string()).min(1).max(6),
    }),
  );

  answer = this.method({ input: z.object({ question: z.string() }) }, async ({ question }) => {
    const found = await this.runtime.exec(`Answer from the documents: ${question}`, {
      tools: ["grep", "glob", "read_file"],
      output: z.object({ answer: z.string(), sources: z.array(z.string()).describe("path:line") }),
    });
    return { question, ...found };
  });

  report = this.method({ input: z.object({ topic: z.string() }) }, async ({ topic }) => {
    const questions = await this.plan({ topic });
    const answers = await each(questions, 3, (question) => this.answer({ question }));
    const notes = answers.map(({ question, answer }) => `- ${question}: ${answer}`).join("\n");
    const text = await this.runtime.exec(`Write a report on this topic from the notes: ${topic}\n${notes}`, {
      tools: [],
    });
    return { text, sources: [...new Set(answers.flatMap(({ sources }) => sources))].sort() };
  });
}

/** A stand-in, so that this runs without a key: it asks about the words of the topic and quotes what it finds first. */
function reply({ messages }: ModelRequest): ScriptedReply {
  const [, task, what = ""] = /^(\w+) .*?: (.*)$/s.exec(`${messages[0]?.content}`) ?? [];
  if (task === "Plan") return JSON.stringify(what.match(/\w{4,}/g)?.slice(0, 6) ?? []);
  if (task === "Write") return what;
  const last = messages.at(-1);
  if (last?.role !== "tool") return { calls: [{ name: "grep", arguments: { pattern: what, ignore_case: true } }] };
  const [found] = last.content;
  const [, source, answer] = (found?.type === "text" && /^(.+?:\d+):(.*)/.exec(found.text)) || [];
  return JSON.stringify({ answer: answer ?? "Nothing.", sources: source ? [source] : [] });
}
const standIn: Model = { id: "stand-in", stream: (request, signal) => scripted([reply]).stream(request, signal) };

process.on("uncaughtException", ({ message }) => {
  console.error(message); // a folder that is not there, say: one line is enough
  process.exit(2);
});
const topic = process.argv[2] ?? "limits, steering, outcomes";
const workspace = process.argv[3] ?? join(import.meta.dirname, "../docs");
const research = new Research({ runtime: createRuntime({ model: process.env.RONDO_MODEL || standIn, workspace }) });
const run = research.report.run({ topic });
for await (const event of run) {
  if (event.type === "tool_start") console.error(event.path, event.call.name, event.call.arguments);
}
const { value, outcome, error } = await run.result;
process.exitCode = value ? 0 : 1;
console.log(value ? `${value.text}\n\nSources: ${value.sources.join(", ")}` : `${outcome}: ${error?.message}`);
