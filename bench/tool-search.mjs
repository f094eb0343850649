/**
 * What `tool_search` costs over 1,000 tools and over 10,000, and what it saves: tokens of the declared block, how often the right
 * tool is found, time to begin a run, to build the index and to search. Times are medians of the repeats, the last column
 * is the growth for ten times as many tools: 10 means linear.
 *
 *   node bench/tool-search.mjs [--repeats 15]
 */
import { parseArgs } from "node:util";
import { createRuntime, tool } from "../src/core.ts";
import { declaredTokens } from "../src/menu/deferral/declared-size.ts";
import { deferred } from "../src/menu/deferral/defer.ts";
import { readQuery } from "../src/menu/deferral/query.ts";
import { findTools, indexTools } from "../src/menu/deferral/tool-index.ts";
import { scripted } from "../src/testing/index.ts";
import { menuTools, padding, written } from "../test/menu/search/catalogue.ts";
import { halves, hitsOf } from "../test/menu/search/measure.ts";
import { requests } from "../test/menu/search/requests.ts";

const { values } = parseArgs({ options: { repeats: { type: "string", default: "15" } } });
const repeats = Number(values.repeats);

const thousand = [...written, ...padding];
const times = (copies) =>
  Array.from({ length: copies }, (_, copy) => (copy === 0 ? thousand : thousand.map((one) => ({ ...one, name: `${one.name}_${copy}` })))).flat();

async function median(work, prepare = () => undefined) {
  const all = [];
  for (let turn = 0; turn < repeats; turn++) {
    const given = prepare();
    const began = performance.now();
    await work(given);
    all.push(performance.now() - began);
  }
  return all.sort((a, b) => a - b)[Math.floor(all.length / 2)];
}

const queries = requests.map(([request]) => readQuery(request));
const asRaw = (tools) => () =>
  tools.map(({ name, description, parameters }) => tool({ name, description, input: parameters, execute: () => "" }));
/** A run of one request, which is all of resolving a menu and little else; `known`: the tools were seen before. */
const run = (tools, known) => {
  const runtime = createRuntime({ model: scripted([]), tools: [] });
  return median(
    (given) => runtime.exec("Go", { model: scripted(["done"]), tools: given, deferAbove: 0 }),
    known ? () => tools : asRaw(tools),
  );
};

async function measured(copies) {
  const written = times(copies);
  const tools = menuTools(written);
  const index = indexTools(tools);
  const all = await median(() => queries.map((query) => findTools(index, query, 5)));
  const once = asRaw(written)();
  return {
    "first run, ms": await run(written, false),
    "next run, ms": await run(once, true),
    "build the index, ms": await median(() => indexTools(tools)),
    "a search, ms": all / queries.length,
  };
}

const tools = menuTools(thousand);
const tokens = (some) => some.reduce((sum, one) => sum + declaredTokens(one), 0);
const waiting = deferred(tools, { above: 0, forced: [], deny: [] }).declared;
console.log(`declared: ${tokens(tools)} tokens for 1,000 tools, ${tokens(waiting)} deferred (x${(tokens(tools) / tokens(waiting)).toFixed(0)} less)`);
const asked = requests.map(([request, right]) => ({ request, right: [right] }));
for (const [half, some] of Object.entries(halves(asked))) {
  const { first, five, asked: count } = hitsOf(tools, some);
  console.log(`${half}: first ${first} of ${count}, within five ${five} of ${count}`);
}
const [small, large] = [await measured(1), await measured(10)];
console.log("\n| | 1,000 tools | 10,000 tools | growth |\n| --- | --- | --- | --- |");
for (const [what, value] of Object.entries(small))
  console.log(`| ${what} | ${value.toFixed(2)} | ${large[what].toFixed(2)} | x${(large[what] / value).toFixed(1)} |`);
