import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime, tool } from "../../src/core.ts";
import { declaredIn } from "./declared-tools.ts";
import { called, type Said } from "./raw/said.ts";
import { type Talk, talk, talkers } from "./talk.ts";

let server: Talk;
beforeAll(async () => {
  server = await talk();
});
afterAll(() => server.close());

const ran: string[] = [];
const small = Array.from({ length: 150 }, (_, at) =>
  tool({ name: `do_${at}`, description: `Does ${at}.`, execute: () => ran.push(`do_${at}`) && "done" }),
);
const calls: Said[][] = [
  [...called(0, "call00001", "do_149", "{}"), { end: "tool_calls" }],
  [{ text: "Done." }, { end: "stop" }],
];

describe.each(talkers)("$name", (wire) => {
  test("more tools than some providers take at once wait to be found, however small they are", async () => {
    ran.length = 0;
    const from = server.requests.length;
    const { outcome } = await createRuntime({ model: server.model(wire, calls), tools: small }).run("Go").result;
    expect({ outcome, refused: server.refused, ran }).toEqual({ outcome: "stop", refused: [], ran: ["do_149"] });
    expect(declaredIn(server.requests[from]!.body).map(({ name }) => name)).toEqual(["tool_search", "call_tool"]);
  });

  test("where they may not wait, those that a provider does not take are left out, said so, and can still be called", async () => {
    ran.length = 0;
    const from = server.requests.length;
    const runtime = createRuntime({ model: server.model(wire, calls), tools: small, deferAbove: Infinity });
    const run = runtime.run("Go");
    const warnings: string[] = [];
    for await (const event of run) if (event.type === "warning") warnings.push(event.message);
    const { outcome } = await run.result;
    expect({ outcome, refused: server.refused, ran }).toEqual({ outcome: "stop", refused: [], ran: ["do_149"] });
    const bodies = server.requests.slice(from).map(({ body }) => body);
    const isFew = /^(openai|azure)/.test(wire.spec);
    expect(bodies.map((body) => declaredIn(body).length)).toEqual(isFew ? [127, 127] : [150, 150]);
    expect(warnings).toEqual(isFew ? [expect.stringMatching(/at most 127 tools.*do_127.*do_149/)] : []);
  });
});
