import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ContentPart, createRuntime } from "../../src/core.ts";
import { type Talk, talk } from "./talk.ts";
import { wires } from "./wires.ts";

const pdf = (name?: string): ContentPart => ({
  type: "file",
  data: Buffer.from("%PDF").toString("base64"),
  mediaType: "application/pdf",
  ...(name === undefined ? undefined : { name }),
});

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]).toString("base64");

let server: Talk;
beforeAll(async () => {
  server = await talk();
});
afterAll(() => server.close());

const done = [{ text: "Read." }, { end: "stop" }] as const;

describe.each(wires)("$name", (wire) => {
  test("documents of one name, of odd names and of none are taken, also without a word beside them", async () => {
    const from = server.requests.length;
    const names = ["a.pdf", "a.pdf", "A.pdf", "ö_b  (1).v2.pdf", "___.pdf", undefined, undefined, "document.pdf"];
    const model = server.model(wire, [done, done]);
    const runtime = createRuntime({ model });
    const first = await runtime.run(names.map(pdf), { tools: [] }).result;
    expect({ outcome: first.outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
    const next = await runtime.run([pdf("a.pdf")], { tools: [], messages: first.messages }).result;
    expect({ outcome: next.outcome, refused: server.refused }).toEqual({ outcome: "stop", refused: [] });
    const [before, after] = server.messages(from).map((all) => all.map((message) => JSON.stringify(message)));
    expect(after?.slice(0, before?.length)).toEqual(before);
  });

  test.each(["image/png", "image/jpg", "application/octet-stream"])(
    "a file of type %s that holds a JPEG is sent as one",
    async (mediaType) => {
      const from = server.requests.length;
      const model = server.model(wire, [done]);
      const prompt: ContentPart[] = [
        { type: "text", text: "Look." },
        { type: "file", data: jpeg, mediaType, name: "a.jpg" },
      ];
      const { outcome } = await createRuntime({ model }).run(prompt, { tools: [] }).result;
      expect(outcome).toBe("stop");
      const sent = JSON.stringify(server.messages(from));
      expect(sent).toContain(jpeg);
      expect(sent).toMatch(/image\/jpeg|"format":"jpeg"/);
      expect(sent).not.toMatch(/image\/png|"format":"png"/);
    },
  );
});
