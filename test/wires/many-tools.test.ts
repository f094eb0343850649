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
});
