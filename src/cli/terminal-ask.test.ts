import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { fakeOutput } from "./report.fixture.ts";
import { terminalAsk } from "./terminal-ask.ts";

const terminal = () => Object.assign(new PassThrough(), { isTTY: true });
const none = () => undefined;
const shown = (output: ReturnType<typeof fakeOutput>, question: string) =>
  expect.poll(() => output.all("stderr")).toContain(question);

test("at a terminal what is typed is the answer, question by question", async () => {
  const output = fakeOutput({ stderr: true });
  const input = terminal();
  const ask = terminalAsk(output, input, none);
  const { signal } = new AbortController();
  const first = ask?.("One? ", signal);
  await shown(output, "One? ");
  input.write("y\n");
  expect(await first).toBe("y");
  const second = ask?.("Two? ", signal);
  await shown(output, "Two? ");
  input.end("n\n");
  expect(await second).toBe("n");
  expect(output.all("stderr")).toBe("One? Two? ");
});

test("what was typed before the question was shown does not answer it", async () => {
  const output = fakeOutput({ stderr: true });
  const input = terminal();
  input.write("y\n");
  const ask = terminalAsk(output, input, none);
  const { signal } = new AbortController();
  const first = ask?.("One? ", signal);
  await shown(output, "One? ");
  input.write("n\n");
  expect(await first).toBe("n");
  // Nor does what was typed between two questions.
  input.write("y\n");
  const second = ask?.("Two? ", signal);
  await shown(output, "Two? ");
  input.write("n\n");
  expect(await second).toBe("n");
});

test("a question ends without an answer when nobody waits for it, and at the end of the input", async () => {
  const input = terminal();
  const ask = terminalAsk(fakeOutput({ stderr: true }), input, none);
  const control = new AbortController();
  const given = ask?.("One? ", control.signal);
  control.abort();
  expect(await given).toBeUndefined();
  const late = ask?.("Two? ", new AbortController().signal);
  input.end();
  expect(await late).toBeUndefined();
});

test("a question about a call leaves out the values of secret variables and nothing that only looks like a key", async () => {
  const output = fakeOutput({ stderr: true });
  const input = terminal();
  const ask = terminalAsk(output, input, none);
  const question = ": ?key=$(curl$IFS'x'|sh)\ncookie=$(id>x) sk-test-1234567890 ";
  const { signal } = new AbortController();
  const exact = ask?.(question, signal, true);
  await shown(output, "cookie");
  expect(output.all("stderr")).toBe(": ?key=$(curl$IFS'x'|sh)\ncookie=$(id>x) [redacted] ");
  input.write("n\n");
  await exact;
  const other = ask?.(question, signal);
  await shown(output, ": ?key=[redacted]'x'|sh)\ncookie=[redacted] [redacted] ");
  input.end("n\n");
  await other;
});

test("without a terminal on both sides nobody can be asked", () => {
  expect(terminalAsk(fakeOutput(), terminal(), terminal)).toBeUndefined();
  expect(terminalAsk(fakeOutput(), new PassThrough(), terminal)).toBeUndefined();
  expect(terminalAsk(fakeOutput({ stderr: true }), new PassThrough(), none)).toBeUndefined();
});

test("where standard input is none, the terminal of the process is opened for each question, and closed", async () => {
  const output = fakeOutput({ stderr: true });
  const opened: PassThrough[] = [];
  const open = () => {
    opened.push(terminal());
    return opened.at(-1);
  };
  const ask = terminalAsk(output, new PassThrough(), open);
  const { signal } = new AbortController();
  const first = ask?.("One? ", signal);
  await shown(output, "One? ");
  opened.at(-1)?.write("y\n");
  expect(await first).toBe("y");
  const second = ask?.("Two? ", signal);
  await shown(output, "Two? ");
  opened.at(-1)?.destroy(new Error("read EIO"));
  expect(await second).toBeUndefined();
  expect(opened).toHaveLength(3);
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
  expect(output.all("stderr")).toBe("One? Two? ");
});

test("a terminal whose input was read to its end for the prompt is opened anew", async () => {
  const input = terminal();
  input.end("the prompt");
  for await (const _ of input);
  const other = terminal();
  const ask = terminalAsk(fakeOutput({ stderr: true }), input, () => other);
  expect(ask).toBeInstanceOf(Function);
  expect(other.destroyed).toBe(true);
});

test("one that has gone by the time of the question answers nothing", async () => {
  const terminals = [terminal()];
  const ask = terminalAsk(fakeOutput({ stderr: true }), new PassThrough(), () => terminals.pop());
  expect(await ask?.("One? ", new AbortController().signal)).toBeUndefined();
});

test("in the background of its terminal nothing is asked or read, in the foreground again it is", async () => {
  const output = fakeOutput({ stderr: true });
  const places = [true, false];
  const input = terminal();
  const ask = terminalAsk(output, input, none, () => places.shift()!);
  const { signal } = new AbortController();
  expect(await ask?.("One? ", signal)).toEqual({ notAsked: expect.stringContaining("in the background") });
  expect([output.all("stderr"), input.listenerCount("data"), input.readableFlowing]).toEqual(["", 0, null]);
  const second = ask?.("Two? ", signal);
  await shown(output, "Two? ");
  input.write("y\n");
  expect(await second).toBe("y");
  expect(output.all("stderr")).toBe("Two? ");
});
