import { expect, test } from "vitest";
import { redactor } from "./redact.ts";

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
