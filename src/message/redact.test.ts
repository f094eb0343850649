import { afterEach, describe, expect, test, vi } from "vitest";
import { lookAgain, secretsOf } from "./environment-secrets.ts";
import { leftOutOf, redactor, withoutOwnSecrets, withoutSecrets } from "./redact.ts";

const env = {
  ANTHROPIC_API_KEY: "sk-ant-1234567890",
  GITHUB_TOKEN: "ghp_abcdefgh1234",
  SSH_KEY: "/home/me/.ssh/id",
  MONKEY: "bananabanana",
  SHORT_TOKEN: "abc",
  EMPTY_KEY: "",
  UNSET_KEY: undefined,
};
const redact = redactor(env);

test.each([
  ["401: key sk-ant-1234567890 is wrong", "401: key [redacted] is wrong"],
  ["ghp_abcdefgh1234ghp_abcdefgh1234", "[redacted][redacted]"],
  ["Authorization: Bearer abcdefgh.1234", "Authorization: Bearer [redacted]"],
  ['{"authorization":"Bearer abcdefgh1234"}', '{"authorization":"Bearer [redacted]"}'],
  ['{"x-api-key":"hello-1234","a":1}', '{"x-api-key":"[redacted]","a":1}'],
  ["http://user:pass@host/v1", "http://[redacted]@host/v1"],
  ["http://host/v1?key=abc123#m", "http://host/v1?key=[redacted]#m"],
  ["http://host/v1?a=1&api_key=abc123&b=2", "http://host/v1?a=1&api_key=[redacted]&b=2"],
  ['{"url":"https://host/?X-Amz-Signature=ab%2F12"}', '{"url":"https://host/?X-Amz-Signature=[redacted]"}'],
  ["http://host/v1?monkey=3&page=2", "http://host/v1?monkey=3&page=2"],
  ["in /home/me/.ssh/id", "in /home/me/.ssh/id"],
  ["bananabanana abc", "bananabanana abc"],
  ["mail me@example.com or https://example.com/a@b", "mail me@example.com or https://example.com/a@b"],
])("%s", (text, expected) => {
  expect(redact(text)).toBe(expected);
});

test.each([
  ["DB_PASSWORD", "hunter2-hunter2", true],
  ["PGPASSWORD", "hunter2-hunter2", true],
  ["OPENAI_APIKEY", "abcdefgh1", true],
  ["AWS_SECRET_ACCESS_KEY", "/abcdEFGH+1234", true],
  ["SIGNING_KEY", `-----BEGIN KEY-----\n${"a a".repeat(10)}`, true],
  ["APP_TOKEN", "1234567", false],
  ["SSH_KEY", "~/.ssh/id_ed25519", false],
  ["MONKEY", "bananabanana", false],
  ["HOME", "abcdefgh123", false],
  ["MOTTO_PASS", "two words", false],
])("%s=%s is a secret: %s", (name, value, is) => {
  expect(secretsOf({ [name]: value })).toEqual(is ? [{ name, value }] : []);
});

describe("what a model reads", () => {
  const text = (said: string) => [{ type: "text", text: said }] as const;
  const own = (name: string, value: string) => {
    vi.stubEnv(name, value);
    lookAgain();
  };
  afterEach(() => {
    vi.unstubAllEnvs();
    lookAgain();
  });

  test("loses the exact values of secret variables and names them", () => {
    own("SOME_API_KEY", "zq81-secret-$&");
    own("SOME_LONG_TOKEN", "zq81-secret-$&-longer");
    expect(withoutOwnSecrets(text("a zq81-secret-$& zq81-secret-$&-longer zq81"))).toEqual(
      text("a [redacted: SOME_API_KEY] [redacted: SOME_LONG_TOKEN] zq81"),
    );
    const json = { type: "json", value: { "zq81-secret-$&": [1, null, { a: "x zq81-secret-$&" }] } } as const;
    expect(withoutOwnSecrets([json])).toEqual([
      {
        type: "json",
        value: { "[redacted: SOME_API_KEY]": [1, null, { a: "x [redacted: SOME_API_KEY]" }] },
      },
    ]);
  });

  test("keeps all else as it is: what looks like a key, common words, images, the very object", () => {
    own("POSTGRES_PASSWORD", "postgres");
    own("SORT_KEY", "created_at");
    own("BUILD_KEY", "20240131");
    const content = [
      ...text("Authorization: Bearer abcdefgh1234 sk-live-1234567890 postgres created_at 20240131"),
      { type: "image", data: "postgres", mediaType: "image/png" },
    ] as const;
    expect(withoutOwnSecrets(content)).toBe(content);
    expect(withoutSecrets("user postgres")).toBe("user [redacted]");
  });

  test("what was left out is known again", () => {
    own("SOME_API_KEY", "zq81-secret-1");
    expect(leftOutOf("key = [redacted: SOME_API_KEY]")).toBe("SOME_API_KEY");
    expect(leftOutOf("key = [redacted: OTHER_KEY] [redacted]")).toBeUndefined();
  });
});
