import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Message } from "../../src/core.ts";
import { ask } from "./ask.ts";
import type { Said } from "./raw/said.ts";
import { calls, image, result, user } from "./results-said.ts";
import { type Sent, sentBy } from "./results-sent.ts";
import { type Talk, talk, talker, talkers } from "./talk.ts";

let server: Talk;
beforeAll(async () => {
  server = await talk();
});
afterAll(() => server.close());

const done: Said[] = [{ text: "Done." }, { end: "stop" }];
const shot = { name: "shot", description: "Shoots.", parameters: { type: "object", properties: {} } };
const [a, b] = ["call0000a", "call0000b"];

/** Of the models on Bedrock only those of Anthropic and Amazon take images in results. */
const llama = { ...talker("Bedrock"), name: "Bedrock Llama", spec: "bedrock/us.meta.llama4-scout-17b-instruct-v1:0" };

describe.each([...talkers, llama])("$name", (wire) => {
  const sent = sentBy[wire.name] as Sent;

  /** What stands behind the calls of the request. */
  const behindCalls = async (messages: readonly Message[], count: number): Promise<readonly unknown[]> => {
    const from = server.requests.length;
    const { end } = await ask(server.model(wire, [done]), { messages, tools: [shot], toolChoice: "auto" });
    expect({ error: end.error, refused: server.refused }).toEqual({ refused: [] });
    const [all = []] = server.messages(from);
    return all.slice(wire.grammar === "responses" ? 1 + count : 2);
  };

  test("text, JSON, and failures with the flag or a word in front", async () => {
    const messages = [
      user("Hi"),
      calls(a, b, "call0000c", "call0000d"),
      result(a, "seen"),
      result(b, [{ type: "json", value: { n: [1] } }]),
      result("call0000c", "no such file", true),
      result("call0000d", "Error: boom", true),
    ];
    expect(await behindCalls(messages, 4)).toEqual(
      sent.batch(
        [
          sent.result(a, { text: "seen" }),
          sent.result(b, { json: { n: [1] } }),
          sent.result("call0000c", { error: "no such file" }),
          sent.result("call0000d", { error: "Error: boom" }),
        ],
        [],
      ),
    );
  });

  test("TOOL-09 PAIR-07 an image stands in its result where the wire takes it, else behind all results, with its call", async () => {
    const messages = [
      user("Hi"),
      calls(a, b),
      result(a, [{ type: "text", text: "shot" }, image]),
      result(b, "seen"),
      user("Stop"),
    ];
    const got = await behindCalls(messages, 2);
    const label = `[image 1 of the result of call ${a} of shot]`;
    const batch = sent.native
      ? sent.batch([sent.result(a, { native: "shot" }), sent.result(b, { text: "seen" })], [])
      : sent.batch(
          [sent.result(a, { text: "shot\n[image 1: behind the results]" }), sent.result(b, { text: "seen" })],
          [sent.image(label)],
        );
    // Where results and what follows are one message, the text stands at its end.
    if (wire.grammar === "anthropic" || wire.grammar === "bedrock") {
      const [one, ...others] = got as { readonly content: readonly unknown[] }[];
      expect(others).toEqual([]);
      expect([{ ...one, content: one?.content.slice(0, -1) }]).toEqual(batch);
    } else expect(got.slice(0, -1)).toEqual(batch);
    expect(JSON.stringify(got.at(-1))).toMatch(/"Stop"[^"]*$/);
  });

  test("a failed result keeps its flag or word; its image stands behind the results", async () => {
    const messages = [user("Hi"), calls(a), result(a, [{ type: "text", text: "red" }, image], true)];
    expect(await behindCalls(messages, 1)).toEqual(
      sent.batch(
        [sent.result(a, { error: "red\n[image 1: behind the results]" })],
        [sent.image(`[image 1 of the result of call ${a} of shot]`)],
      ),
    );
  });

  test("an image of a type that the provider does not take is told in its place", async () => {
    const tiff = { type: "image", data: "SUkqAA==", mediaType: "image/tiff" } as const;
    const got = await behindCalls([user("Hi"), calls(a), result(a, [{ type: "text", text: "see" }, tiff])], 1);
    const said = "see\n[image/tiff image left out: this model does not take that type]";
    expect(got).toEqual(sent.batch([sent.result(a, { text: said })], []));
  });

  test("an image whose type is not what its bytes say goes out with the type of its bytes", async () => {
    const wrong = { ...image, mediaType: "image/jpg" } as typeof image;
    const shot = [{ type: "text", text: "shot" } as const, wrong];
    const got = JSON.stringify(await behindCalls([user("Hi"), calls(a), result(a, shot)], 1));
    expect(got).toMatch(/image\/png|"format":"png"/);
    expect(got).not.toMatch(/image\/jpg/);
  });

  test("TOOL-05 a result without anything readable says so", async () => {
    const got = await behindCalls([user("Hi"), calls(a, b), result(a, "  \n"), result(b, " ", true)], 2);
    const picky = ["anthropic", "bedrock"].includes(wire.grammar);
    const blank = (text: string) => (picky ? "(blank text)" : text);
    const failed = sent.result(b, { error: blank(" ") });
    expect(got).toEqual(sent.batch([sent.result(a, { text: blank("  \n") }), failed], []));
  });

  test("TOOL-07 lone surrogates go out as U+FFFD, in texts, names, ids and arguments", async () => {
    const lone = "a\ud83d";
    const [reply] = [calls(lone)] as [Extract<Message, { role: "assistant" }>];
    const content = [
      { type: "text", text: lone } as const,
      { type: "tool_call", id: lone, name: `shot${lone}`, arguments: '{"q":"\\ud83d","\\udc00":1}' } as const,
    ];
    const got = await behindCalls(
      [user(lone), { ...reply, content }, { ...result(lone, lone), toolName: `shot${lone}` } as Message],
      2,
    );
    expect(JSON.stringify(got)).toContain("a\ufffd");
  });

  test.each([
    ["nothing but calls", []],
    ["empty text and a call", [""]],
    ["blank text and a call", [" \n"]],
  ])("SHAPE-01 SHAPE-03 a reply of %s holds no empty text", async (_, texts) => {
    const reply = calls(a) as Extract<Message, { role: "assistant" }>;
    const content = [...texts.map((text) => ({ type: "text", text }) as const), ...reply.content];
    const from = server.requests.length;
    const got = await behindCalls([user("Hi"), { ...reply, content }, result(a, "seen")], 1);
    expect(got).toEqual(sent.batch([sent.result(a, { text: "seen" })], []));
    const [, said] = server.messages(from)[0] as { content?: unknown; parts?: unknown[]; call_id?: string }[];
    if (wire.grammar === "chat") expect(said).toMatchObject({ content: null, tool_calls: [{ id: a }] });
    else if (wire.grammar === "responses") expect(said?.call_id).toBe(a);
    else expect(said?.content ?? said?.parts).toHaveLength(1);
  });
});
