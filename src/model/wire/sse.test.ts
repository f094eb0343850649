import { expect, test } from "vitest";
import { type Mender, mendSse } from "./sse.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const asIs: Mender = { event: () => undefined, end: () => [] };

async function through(packets: readonly Uint8Array[], mender: Mender): Promise<Uint8Array[]> {
  const out: Uint8Array[] = [];
  for await (const chunk of mendSse(ReadableStream.from(packets) as ReadableStream<Uint8Array>, mender))
    out.push(chunk);
  return out;
}
const text = (packets: readonly Uint8Array[]) => new TextDecoder().decode(Buffer.concat(packets));

test("what needs no mending is handed on as the very bytes that came", async () => {
  const packets = [bytes("data: 1\n\n"), bytes(": hm\r\n\r\nevent: x\ndata: 2\ndata: 3\n\n")];
  const out = await through(packets, asIs);
  expect(out.map((chunk) => chunk.buffer)).toEqual(packets.map((packet) => packet.buffer));
  expect(out[0]?.buffer).toBe(packets[0]?.buffer);
});

test("the mender sees each event once, with its name and its lines", async () => {
  const seen: unknown[] = [];
  const mender: Mender = { event: (data, name) => void seen.push([name, data]), end: () => [] };
  await through([bytes("data:1\n\nevent: x\nda"), bytes("ta: 2\ndata: 3\r\n\r"), bytes("\nid: 9\n\ndata: 4")], mender);
  expect(seen).toEqual([
    [undefined, "1"],
    ["x", "2\n3"],
    [undefined, "4"],
  ]);
});

test("events are replaced, left out and added; those beside them stay", async () => {
  const mender: Mender = {
    event: (data) => ({ b: ["B1", "B2"], c: [] })[data],
    end: () => ["last"],
  };
  const out = await through([bytes("data: a\n\ndata: b\n\ndata: c\n\ndata: d\n\n"), bytes("data: c\n\n")], mender);
  expect(text(out)).toBe("data: a\n\ndata: B1\n\ndata: B2\n\ndata: d\n\ndata: last\n\n");
});

test("half an event at the end of the stream is left out, a whole one is not", async () => {
  expect(text(await through([bytes('data: {"a":1}')], asIs))).toBe('data: {"a":1}\n\n');
  expect(text(await through([bytes("data: [DONE]")], asIs))).toBe("data: [DONE]\n\n");
  expect(text(await through([bytes('data: {"a":')], asIs))).toBe("");
});

test("a stream that breaks breaks, and one that is left is left", async () => {
  const broken = new ReadableStream<Uint8Array>({ pull: (out) => out.error(new Error("reset")) });
  await expect(mendSse(broken, asIs).getReader().read()).rejects.toThrow("reset");
  let left: unknown;
  const endless = new ReadableStream<Uint8Array>({
    pull: (out) => out.enqueue(bytes("data: 1\n\n")),
    cancel(reason) {
      left = reason;
    },
  });
  await mendSse(endless, asIs).cancel("enough");
  expect(left).toBe("enough");
});

test("of an event that never ends no more is kept than the longest may have; what came before stays", async () => {
  let given = 0;
  let left = false;
  const endless = new ReadableStream<Uint8Array>(
    {
      pull(out) {
        given += 1;
        out.enqueue(bytes(given === 1 ? "data: 1\n\ndata: 2" : "0123456789"));
      },
      cancel() {
        left = true;
      },
    },
    { highWaterMark: 0 },
  );
  const out: Uint8Array[] = [];
  for await (const chunk of mendSse(endless, { ...asIs, tooLong: () => ["too long"] }, 100)) out.push(chunk);
  expect(text(out)).toBe("data: 1\n\ndata: too long\n\n");
  expect({ given, left }).toEqual({ given: 11, left: true });
});

test("many long events that end are whole", async () => {
  const long = `data: ${"x".repeat(90)}\n\n`;
  const packets = Array.from({ length: 5 }, () => [bytes(long.slice(0, 50)), bytes(long.slice(50))]).flat();
  const out: Uint8Array[] = [];
  const source = ReadableStream.from(packets) as ReadableStream<Uint8Array>;
  for await (const chunk of mendSse(source, asIs, 100)) out.push(chunk);
  expect(text(out)).toBe(long.repeat(5));
});
