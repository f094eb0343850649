import { afterEach, expect, test, vi } from "vitest";
import { lookAgain } from "./environment-secrets.ts";
import { withoutOwnSecrets } from "./redact.ts";

const value = "zq81-secret-PQRS-7777";
const name = "SOME_API_KEY";
const read = (text: string) => {
  vi.stubEnv(name, value);
  lookAgain();
  const [part] = withoutOwnSecrets([{ type: "text", text }]);
  return part?.type === "text" ? part.text : undefined;
};

afterEach(() => {
  vi.unstubAllEnvs();
  lookAgain();
});

test.each([
  [`a ${value.slice(0, 18)} … [line cut]`, "a [redacted: SOME_API_KEY] … [line cut]"],
  [`"a ${value.slice(0, 18)}…"`, '"a [redacted: SOME_API_KEY]…"'],
  [`… ${value.slice(5)} b`, "… [redacted: SOME_API_KEY] b"],
  [`…${value.slice(5)}…`, "…[redacted: SOME_API_KEY]…"],
  [
    `${value} ${value.slice(0, 8)} …\n… ${value.slice(-8)}`,
    "[redacted: SOME_API_KEY] [redacted: SOME_API_KEY] …\n… [redacted: SOME_API_KEY]",
  ],
])("a piece of a secret at a cut is left out: %j", (text, expected) => {
  expect(read(text)).toBe(expected);
});

test.each([
  `zq81-secret …, zq81-secret and more …`.replace("zq81-secret …", "secret …"),
  `a zq81 … b`,
  `… 7777 and 8888 … `,
  `what begins with zq81-secret stands alone`,
])("all else stays: %j", (text) => {
  expect(read(text)).toBe(text);
});

test("a text of nothing but cuts is read once", () => {
  expect(read("zq81-s…".repeat(20_000))).toBe(`${"[redacted: SOME_API_KEY]…".repeat(20_000)}`);
  expect(read(`zq81-s${"zq81-sz".repeat(20_000)}…`)).toContain("zq81-sz…");
});

test("each long line of a value of several lines is left out, with whatever breaks it is written", () => {
  const lines = ["A", "B"].map((char) => `${char}b+/`.repeat(16));
  const block = ["-----BEGIN KEY-----", ...lines, "-----END KEY-----"];
  for (const stored of [block.join("\n"), block.join("\\n"), block.join("\r\n")]) {
    vi.stubEnv("SIGNING_KEY", stored);
    expect(read(`{"key":"${block.join("\\n")}"}`)).not.toMatch(/[AB]b\+/);
    expect(read(`k.pem:3:${lines[1]}`)).toBe("k.pem:3:[redacted: SIGNING_KEY]");
    expect(read(block.join("\n"))).not.toMatch(/[AB]b\+/);
  }
});

test("so is the short last line of a key, and no short line of another text", () => {
  const block = ["-----BEGIN KEY-----", "Ab+/".repeat(16), "Q29kZQo5Zg==", "-----END KEY-----"];
  for (const stored of [block.join("\n"), block.join("\\n"), `{"key":"${block.join("\\n")}","kind":"of_one"}`]) {
    vi.stubEnv("SIGNING_KEY", stored);
    expect(read(block.join("\r\n"))).toBe(
      ["-----BEGIN KEY-----", "[redacted: SIGNING_KEY]", "[redacted: SIGNING_KEY]", "-----END KEY-----"].join("\r\n"),
    );
    expect(read("k.pem:3:Q29kZQo5Zg==")).toBe("k.pem:3:[redacted: SIGNING_KEY]");
  }
  vi.stubEnv("SIGNING_KEY", ["first", "identifier9", "a".repeat(40)].join("\n"));
  expect(read("identifier9")).toBe("identifier9");
});
