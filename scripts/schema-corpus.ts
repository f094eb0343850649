/**
 * Sends every tool of a function-calling leaderboard (BFCL) over every wire, and lets the model make its known calls:
 *
 *     node scripts/schema-corpus.ts FILE.jsonl
 *
 * A line of the file is { id, functions: [{ name, description, parameters }], answer: [{ name: { argument: [acceptable, …] } }] };
 * "" among the acceptable values means that the argument may be left out. The provider's own package sends the request over
 * a socket; what arrives is checked by the rules of test/wires/schema-rules.ts, which know nothing of what makes schemas
 * acceptable. A known answer is valid when the tool of that name is run with it, whatever its name was on the wire.
 */
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { type Schema, validate } from "@cfworker/json-schema";
import { createRuntime, tool } from "../src/core.ts";
import type { Json, JsonObject } from "../src/message/json.ts";
import type { ToolDeclaration } from "../src/model/model.ts";
import { resolveModel } from "../src/model/resolve.ts";
import type { Expected } from "../test/offline/bfcl.ts";
import { declaredIn, legalName, type Received, rulesOf } from "../test/wires/declared-tools.ts";
import { type GrammarName, grammars } from "../test/wires/raw/grammars.ts";
import { called } from "../test/wires/raw/said.ts";
import { rawServer } from "../test/wires/raw/server.ts";
import { problemsOf } from "../test/wires/schema-rules.ts";

type Line = {
  readonly id: string;
  readonly functions: readonly ToolDeclaration[];
  readonly answer: readonly Expected[];
};
/** One definition, with the calls that are known to be right for it. */
type Entry = { readonly id: string; readonly declaration: ToolDeclaration; readonly calls: readonly JsonObject[] };
type Route = { readonly name: string; readonly spec: string; readonly base?: string; readonly grammar: GrammarName };
type Row = { tools: number; renamed: number; changed: number; leftOut: number; calls: number; valid: number };

const routes: readonly Route[] = [
  { name: "OpenAI chat", spec: "openai-chat/gpt-4o", base: "/v1", grammar: "chat" },
  { name: "OpenAI Responses", spec: "openai/gpt-4o", base: "/v1", grammar: "responses" },
  { name: "Azure", spec: "azure/gpt-4o", base: "/v1", grammar: "responses" },
  { name: "Azure chat", spec: "azure-chat/gpt-4o", base: "/v1", grammar: "chat" },
  { name: "OpenAI-compatible", spec: "{url}/v1#qwen3", grammar: "chat" },
  { name: "Ollama", spec: "ollama/qwen3", base: "/v1", grammar: "chat" },
  { name: "Anthropic", spec: "anthropic/claude-sonnet-4-5", base: "/v1", grammar: "anthropic" },
  { name: "Gemini", spec: "google/gemini-2.5-flash", base: "/v1beta", grammar: "gemini" },
  { name: "Bedrock", spec: "bedrock/amazon.nova-pro-v1:0", base: "", grammar: "bedrock" },
  { name: "Bedrock Claude", spec: "bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0", base: "", grammar: "bedrock" },
];

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error("Name the file with the entries: node scripts/schema-corpus.ts FILE.jsonl");
  process.exit(2);
}
const entries: readonly Entry[] = readFileSync(file, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .flatMap((line) => entriesOf(JSON.parse(line) as Line));

function entriesOf({ id, functions, answer }: Line): Entry[] {
  return functions.map((declaration) => ({
    id,
    declaration,
    calls: answer.flatMap((one) =>
      Object.hasOwn(one, declaration.name) ? [fieldsOf(one[declaration.name] ?? {}, requiredOf(declaration))] : [],
    ),
  }));
}

function requiredOf({ parameters }: ToolDeclaration): readonly Json[] {
  return Array.isArray(parameters.required) ? parameters.required : [];
}

/**
 * The first acceptable value of each field; those that may be left out first of all are, unless they are required. Where
 * the list is empty, it is the value itself. Values inside of values are lists too.
 */
function fieldsOf(fields: JsonObject, required: readonly Json[] = []): JsonObject {
  const picked = Object.entries(fields).flatMap(([name, given = null]) => {
    const acceptable: readonly Json[] = Array.isArray(given) && given.length > 0 ? given : [given];
    const needed = required.includes(name);
    const first = needed ? (acceptable.find((value) => value !== "") ?? "") : acceptable[0];
    return first === undefined || (first === "" && !needed) ? [] : [[name, plainValue(first)] as const];
  });
  return Object.fromEntries(picked);
}

function plainValue(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => plainValue(item as Json));
  return typeof value === "object" && value !== null ? fieldsOf(value as JsonObject) : value;
}

/** Without the fields that are null in the answer and were left out of the arguments, which is what null means where it is not allowed. */
function withoutNulls(answer: Json, args: unknown): Json {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return answer;
  const given = (typeof args === "object" ? args : {}) as { readonly [name: string]: unknown };
  const fields = Object.entries(answer as JsonObject).filter(
    ([name, value]) => value !== null || Object.hasOwn(given, name),
  );
  return Object.fromEntries(fields.map(([name, value]) => [name, withoutNulls(value ?? null, given[name])]));
}

/** Requests hold each name once, so definitions of one name go into different ones. */
function batchesOf(all: readonly Entry[]): readonly (readonly Entry[])[] {
  const batches: { readonly names: Set<string>; readonly list: Entry[] }[] = [];
  for (const entry of all) {
    const { name } = entry.declaration;
    let batch = batches.find(({ names }) => !names.has(name) && names.size < 128);
    if (batch === undefined) {
      batch = { names: new Set(), list: [] };
      batches.push(batch);
    }
    batch.names.add(name);
    batch.list.push(entry);
  }
  return batches.map(({ list }) => list);
}

const failures: string[] = [];
/** Answers that do not fit the definition that the file itself gives. */
const contradictions = new Set<string>();
const fail = (route: Route, entry: Entry | undefined, problem: string) =>
  failures.push(`${route.name}, ${entry?.id ?? "?"}, ${entry?.declaration.name ?? "?"}: ${problem}`);

async function send(route: Route, batch: readonly Entry[], row: Row): Promise<void> {
  const { contentType, events } = grammars[route.grammar];
  const headers = { "content-type": contentType };
  const wanted = batch.flatMap((entry) => entry.calls.map((args) => ({ entry, args })));
  let received: readonly Received[] = [];
  const server = await rawServer(({ body }, at) => {
    received = declaredIn(body);
    if (at > 0 || wanted.length === 0) return { headers, body: events([{ text: "Fine." }, { end: "stop" }]) };
    const said = wanted.flatMap(({ entry, args }, index) => {
      const name = received[batch.indexOf(entry)]?.name ?? "";
      return called(index, `call_${index}`, name, JSON.stringify(args));
    });
    return { headers, body: events([...said, { end: "tool_calls" }]) };
  });
  const runs: { readonly entry: Entry; readonly args: unknown }[] = [];
  const model = resolveModel(route.spec.replace("{url}", server.url), {
    ...{ apiKey: "test", env: {}, region: "eu-central-1", retry: { retries: 0 } },
    ...(route.base === undefined ? undefined : { baseURL: server.url + route.base }),
  });
  const tools = batch.map((entry) => {
    const { name, description, parameters } = entry.declaration;
    return tool({ name, description, input: parameters, execute: (args: unknown) => void runs.push({ entry, args }) });
  });
  const run = createRuntime({ model }).run("Go", { tools, stuck: false, deferAbove: Infinity });
  for await (const event of run) if (event.type === "warning") fail(route, undefined, event.message);
  const { outcome } = await run.result;
  await server.close();
  if (outcome !== "stop") fail(route, undefined, `the run ended with ${outcome}`);

  row.tools += batch.length;
  row.leftOut += batch.length - received.length;
  row.calls += wanted.length;
  if (new Set(received.map(({ name }) => name)).size < received.length)
    fail(route, batch[0], "two tools have one name");
  for (const [at, entry] of batch.entries()) check(route, entry, received[at], row);
  for (const { entry, args } of wanted) {
    const at = runs.findIndex(
      (made) => made.entry === entry && isDeepStrictEqual(made.args, withoutNulls(args, made.args)),
    );
    if (at >= 0) row.valid += runs.splice(at, 1).length;
    else if (fitsOriginal(entry, args)) fail(route, entry, `the known answer ${JSON.stringify(args)} is not valid`);
    else contradictions.add(`${entry.id}, ${entry.declaration.name}`);
  }
}

/** What another validator says, with the definition as it stands in the file. */
const fitsOriginal = ({ declaration }: Entry, args: JsonObject): boolean =>
  validate(args, declaration.parameters as Schema, "7").valid;

function check(route: Route, entry: Entry, received: Received | undefined, row: Row): void {
  if (received === undefined) {
    fail(route, entry, "did not arrive");
    return;
  }
  const { name, parameters } = entry.declaration;
  if (!legalName.test(received.name)) fail(route, entry, `the name ${received.name} is not legal`);
  row.renamed += Number(received.name !== name);
  row.changed += Number(!isDeepStrictEqual(received.schema, parameters));
  for (const problem of problemsOf(received.schema, rulesOf(route.name))) fail(route, entry, problem);
}

console.log(`${"wire".padEnd(18)}   tools  renamed  changed  left out   known answers: valid`);
for (const route of routes) {
  const row: Row = { tools: 0, renamed: 0, changed: 0, leftOut: 0, calls: 0, valid: 0 };
  for (const batch of batchesOf(entries)) await send(route, batch, row);
  const { tools, renamed, changed, leftOut, calls, valid } = row;
  const columns = [
    [tools, 7],
    [renamed, 8],
    [changed, 8],
    [leftOut, 9],
    [calls, 15],
    [valid, 6],
  ] as const;
  console.log(route.name.padEnd(18), ...columns.map(([value, width]) => String(value).padStart(width)));
}
for (const one of contradictions)
  console.log(`its known answer does not fit its own definition, so it is refused: ${one}`);
for (const failure of failures.slice(0, 40)) console.error(failure);
if (failures.length > 40) console.error(`and ${failures.length - 40} more`);
process.exitCode = failures.length > 0 ? 1 : 0;
