import type { Failed } from "./said.ts";

/** A prompt that speaks of what failures are told by, once read and once as the JSON that it may hold. */
const prompt = 'My context window is too long: billing_error, API_KEY_INVALID, "quotaId": "RequestsPerDay", limit: 0';

const missing = {
  type: "string_type",
  loc: ["body", "messages", 0, "content", "str"],
  msg: "Input should be a valid string",
  input: [{ type: "text", text: prompt }],
  ctx: { given: prompt },
};

const python = `[{'type': 'string_type', 'loc': ('body', 'n'), 'msg': 'Input should be a valid string', 'input': '${prompt}'}]`;

const echo = (what: string, status: number, body: unknown, message: string): Failed => ({
  what,
  status,
  kind: "invalid",
  body: typeof body === "string" ? body : JSON.stringify(body),
  message,
});

/** Servers that quote what was sent to them, in any place: it says nothing about the failure. */
export const echoes: readonly Failed[] = [
  echo("FastAPI, with the input", 422, { detail: [missing] }, missing.msg),
  echo("FastAPI as 400, a long input", 400, { detail: [{ ...missing, input: prompt.repeat(1_000) }] }, missing.msg),
  echo("an object beside the message", 400, { error: { message: "Bad field.", body: { prompt } } }, "Bad field."),
  echo("a server in Python, in its message", 400, { object: "error", message: python, type: "BadRequest" }, "[{'type'"),
  echo("neither code nor message", 400, { detail: [{ loc: ["body"], input: prompt, ctx: { prompt } }] }, "Bad Request"),
  echo("cut in the middle", 400, `{"detail":[{"loc":["body"],"input":"${prompt}`, "Bad Request"),
];
