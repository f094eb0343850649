import { expect, test } from "vitest";
import { boundedError } from "./error-body.ts";

/** A body of these pieces; then it ends, or nothing more comes. */
function failed(pieces: Iterable<string>, then: "close" | "hang") {
  const from = pieces[Symbol.iterator]();
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = from.next();
      if (!done) controller.enqueue(new TextEncoder().encode(value));
      else if (then === "close") controller.close();
      else return new Promise(() => {});
    },
    cancel() {
      cancelled = true;
    },
  });
  const headers = { "retry-after": "3" };
  const response = new Response(body, { status: 503, statusText: "Busy", headers });
  return { response, cancelled: () => cancelled };
}

function* endless() {
  for (;;) yield "0123456789";
}

test("a body that ends is handed on whole", async () => {
  const given = boundedError(failed(["one ", "two"], "close").response);
  expect(await given.text()).toBe("one two");
  expect([given.status, given.statusText, given.headers.get("retry-after")]).toEqual([503, "Busy", "3"]);
});

test("one that never ends is cut and left", async () => {
  const { response, cancelled } = failed(endless(), "close");
  expect(await boundedError(response, { bytes: 25 }).text()).toBe("0123456789012345678901234");
  expect(cancelled()).toBe(true);
});

test("one that stands still ends as far as it came", async () => {
  const { response, cancelled } = failed(["one "], "hang");
  expect(await boundedError(response, { ms: 20 }).text()).toBe("one ");
  expect(cancelled()).toBe(true);
});

test("one that drips ends when its time is over", async () => {
  const drip = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      controller.enqueue(new Uint8Array([97]));
    },
  });
  expect(await boundedError(new Response(drip, { status: 500 }), { ms: 30 }).text()).toMatch(/^a*$/);
});

test("one that breaks ends as far as it came, and no body stays none", async () => {
  let begun = false;
  const broken = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (begun) controller.error(new Error("reset"));
      else controller.enqueue(new TextEncoder().encode("one "));
      begun = true;
    },
  });
  expect(await boundedError(new Response(broken, { status: 500 })).text()).toBe("one ");
  expect(boundedError(new Response(null, { status: 304 })).body).toBeNull();
});

test("a status that no response may have is the highest, and stands in its text", () => {
  const strange = Object.defineProperty(new Response("Denied"), "status", { value: 999 });
  const given = boundedError(strange);
  expect([given.status, given.statusText]).toEqual([599, "999"]);
});
