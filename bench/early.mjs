/**
 * What an early start wins: a reply of four reading calls that streams slowly over HTTP, each call 60 ms after the one
 * before and the end 60 ms after the last, tools of 100 ms. Run after `npm run build`; prints the wall time of the round in
 * milliseconds, best of 7: `sequential`, `overlap` with a reply that comes at once at its end, `overlap`.
 */
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { createRuntime, resolveModel, tool } from "../dist/core.js";

const step = 60;
const work = 100;
const chunk = (delta, finish = null) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const call = (index) =>
  chunk({
    tool_calls: [{ index, id: `call_${index}`, type: "function", function: { name: "read", arguments: `{"n":${index}}` } }],
  });

let atOnce = false;
const server = createServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  response.writeHead(200, { "content-type": "text/event-stream" });
  const pieces = body.includes('"role":"tool"')
    ? [chunk({ content: "done" }, "stop"), "data: [DONE]\n\n"]
    : [0, 1, 2, 3].map(call).concat(`${chunk({}, "tool_calls")}data: [DONE]\n\n`);
  const slow = pieces.length > 2;
  if (slow && atOnce) await pause(step * (pieces.length - 1));
  for (const [at, piece] of pieces.entries()) {
    if (slow && !atOnce && at > 0) await pause(step);
    response.write(piece);
  }
  response.end();
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const read = tool({
  name: "read",
  description: "Reads.",
  readOnly: true,
  input: { type: "object", properties: { n: { type: "integer" } } },
  execute: async ({ n }) => {
    await pause(work);
    return n;
  },
});
const model = resolveModel(`http://127.0.0.1:${server.address().port}/v1#m`, { env: {} });
const runtime = createRuntime({ model, tools: [read] });

async function best(toolExecution, whole) {
  atOnce = whole;
  const times = [];
  for (let turn = 0; turn < 7; turn++) {
    const began = performance.now();
    await runtime.exec("Go", { tools: ["read"], toolExecution });
    times.push(performance.now() - began);
  }
  return Math.round(Math.min(...times));
}

console.log(`sequential           ${await best("sequential", false)} ms`);
console.log(`overlap, no stream   ${await best("overlap", true)} ms`);
console.log(`overlap, early start ${await best("overlap", false)} ms`);
server.close();
server.closeAllConnections();
