import { type Tool, tool } from "../menu/tool.ts";

/**
 * Runs JavaScript in an engine of its own (QuickJS in a thread): a fresh world for each call, without network, files,
 * modules or timers, bounded in time (10 seconds), memory (64 MB, the engine's own among it) and output. What goes wrong
 * in it is an error result; but a rejected promise is heard of only if it is awaited or is the value.
 */
export const runCode: Tool = tool({
  name: "run_code",
  description:
    "Runs JavaScript to compute something. The result is what console.log printed, then the value of the last expression (or of a top-level return) as JSON; top-level await works. " +
    "A rejected promise is reported if it is awaited or is the last value, else it is lost: await what may fail. " +
    "Plain ECMAScript: no network, files, modules, timers or Node APIs, and nothing is kept between calls. At most 10 seconds and 64 MB.",
  input: {
    type: "object",
    properties: { code: { type: "string", description: "JavaScript source code." } },
    required: ["code"],
    additionalProperties: false,
  },
  // It only computes: nothing outside of its world changes, so it may run beside others and be done again.
  readOnly: true,
  // The code has a limit of its own, which counts from its start: a call may have to wait for a thread.
  timeoutMs: Number.POSITIVE_INFINITY,
  defer: false,
  async execute(args, ctx) {
    const body = await import("./run-code.body.ts");
    return body.runCode(args as unknown as Parameters<typeof body.runCode>[0], ctx);
  },
});
