/**
 * A support desk: the model looks things up as often as it likes and ends with one of two decisions, both typed.
 *
 *     node examples/support-desk.ts "Order B-4 came in the wrong size"      (RONDO_MODEL names a real model)
 */
import { Agent, type Model, type ModelRequest, tool } from "rondo";
import { type ScriptedReply, scripted } from "rondo/testing";
import { z } from "zod";

const orders = new Map([
  ["A-17", { item: "rain jacket", price: 120, status: "lost" }],
  ["B-4", { item: "sun hat", price: 25, status: "delivered" }],
  ["C-9", { item: "tent", price: 340, status: "lost" }],
]);
const rain = new Map([
  ["Bergen", [20, 17, 17, 14, 13, 13, 15, 17, 18, 19, 19, 20]], // days with rain, from January on
  ["Lisbon", [11, 9, 9, 9, 6, 3, 1, 1, 4, 8, 10, 11]],
]);

const weather = tool({
  name: "weather",
  description: "The weather to expect in a city.",
  input: z.object({ city: z.string() }),
  execute({ city }) {
    const days = rain.get(city)?.[new Date().getMonth()];
    if (days === undefined) throw new Error(`No forecast for ${city}, only for ${[...rain.keys()].join(", ")}.`);
    return `${city}: some ${days} days with rain this month.`;
  },
});

class Support extends Agent {
  lookup = this.method({ description: "Look up an order.", input: z.object({ id: z.string() }) }, ({ id }) =>
    orders.get(id),
  );
  refund = this.method(
    { description: "Refund an order.", input: z.object({ id: z.string(), as: z.enum(["money", "store credit"]) }) },
    ({ id, as }) => {
      const order = orders.get(id);
      if (!order) throw new Error(`There is no order ${id}.`);
      return { id, as, amount: order.price };
    },
  );

  handle = this.method({ description: "Handle a ticket.", input: z.object({ ticket: z.string() }) }, ({ ticket }) =>
    this.runtime.exec(`Handle this ticket: ${ticket}`, {
      tools: [this.lookup, weather], // the model picks, as often as it likes …
      choices: { refund: this.refund, escalate: "ESCALATE" }, // … and ends with one of these
    }),
  );
}

/** A stand-in, so that this runs without a key: it looks up the order that it reads of, and refunds what is lost. */
function reply({ messages }: ModelRequest): ScriptedReply {
  const said = JSON.stringify(messages);
  const id = /[A-Z]-\d+/.exec(said)?.[0] ?? "none";
  const city = /Bergen|Lisbon/.exec(said)?.[0];
  const weather = city ? [{ name: "weather", arguments: { city } }] : [];
  if (messages.length === 1) return { calls: [{ name: "lookup", arguments: { id } }, ...weather] };
  const as = said.includes("store credit") ? "store credit" : "money";
  return JSON.stringify(said.includes("lost") ? { call: "refund", args: { id, as } } : { call: "escalate" });
}
process.on("uncaughtException", ({ message }) => {
  console.error(message); // a model of no such name, say: one line is enough
  process.exit(2);
});
const standIn: Model = { id: "stand-in", stream: (request, signal) => scripted([reply]).stream(request, signal) };

const support = new Support({ model: process.env.RONDO_MODEL || standIn });
const ticket = process.argv[2] ?? "Order A-17 has not come to Bergen, where it pours. I want my money back.";
const decision = await support.handle({ ticket }); // as code: the value, here { id, as, amount } or "ESCALATE"
console.log(decision === "ESCALATE" ? "For a person." : `Refund ${decision.amount} as ${decision.as}.`);

const run = support.handle.run({ ticket: "The tent of order C-9 has not come to Lisbon." }); // or to be watched
for await (const event of run) {
  if (event.type === "tool_start" && event.call.name === "lookup") run.send("Prefer store credit.");
  if (event.type === "tool_end") console.log(event.call.name, event.call.arguments, "->", event.result.content);
}
const { outcome, value } = await run.result; // never rejects
console.log(outcome, value);
