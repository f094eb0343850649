import { afterEach, expect, test } from "vitest";
import { answerOf, type Failed } from "../../test/wires/failures/said.ts";
import { anywhere, said } from "../../test/wires/failures/table.ts";
import { type RawServer, rawServer } from "../../test/wires/raw/server.ts";
import { rondo } from "./command.fixture.ts";
import { stage } from "./e2e.fixture.ts";

const on = stage();
let server: RawServer | undefined;
afterEach(() => server?.close());

const row = (wire: string, what: string) => said[wire]?.find((one) => one.what === what) as Failed;
const credit =
  "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.";

test.each([
  [
    "a wrong key",
    row("Anthropic", "401 authentication_error"),
    "(auth, HTTP 401): invalid x-api-key. Check the key in ANTHROPIC_API_KEY and what it may use.",
  ],
  [
    "no credit",
    row("Anthropic", "400 no credit"),
    `(quota, HTTP 400): ${credit} Waiting does not help: check plan, billing and limits of the account.`,
  ],
  [
    "a prompt that is too long",
    row("Anthropic", "400 prompt too long"),
    "(context_overflow, HTTP 400): prompt is too long: 208310 tokens > 200000 maximum. Shorten the prompt or the history, or take a model with a larger context.",
  ],
  [
    "a model that is not there",
    row("Anthropic", "404 not_found_error"),
    '(invalid, HTTP 404): model: claude-9. Is there a model "claude-x"?',
  ],
  [
    "a page of a proxy",
    { ...(anywhere[1] as Failed), status: 403 },
    "(auth, HTTP 403): 413 Request Entity Too Large. Check the key in ANTHROPIC_API_KEY",
  ],
])("%s is told in one line that says what to do", async (_, failed, line) => {
  server = await rawServer(() => answerOf(failed));
  const env = { ANTHROPIC_API_KEY: "sk-ant-1234567890", ANTHROPIC_BASE_URL: `${server.url}/v1` };
  const model = ["--model", "anthropic/claude-x", "--cwd", on.folder];
  const { code, stdout, stderr } = await rondo(["run", "hi", ...model], { env });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr.split("\n")[1]).toContain(`error: The model's request failed ${line}`);
  expect(stderr.split("\n")).toHaveLength(3);
});
