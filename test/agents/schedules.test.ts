import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  createRuntime,
  type ExecOptions,
  type MethodRun,
  method,
  type Receipt,
  type Run,
  type RunResult,
  run,
  type When,
} from "../../src/core.ts";
import { checkHistory } from "../../src/message/history.ts";
import { call, microtasks, picks, usersOf } from "../loop/play.fixture.ts";
import { expectNothingUnhandled } from "../loop/unhandled.fixture.ts";
import { acting, promptOf, roundsOf } from "./agents.fixture.ts";

expectNothingUnhandled();

/** A run that begins others in its calls, one call for each. */
type Node = { readonly kids: readonly Kid[]; readonly options: ExecOptions };
/** How a call begins the next run: itself, in a method that it calls or watches, twice at once, or without waiting. */
type Kid = {
  readonly how: "itself" | "code" | "watch" | "twice" | "leave";
  readonly pause: number;
  readonly node: Node;
};
type Act = {
  readonly after: number;
  readonly do: "send" | "abort" | "abortInside";
  readonly at: number;
  readonly when: When;
};

const whens: readonly When[] = ["now", "after_round", "at_end"];
const optionSets = fc.constantFrom<ExecOptions>({}, {}, { maxIterations: 1 }, { maxIterations: 1, atLimit: "stop" });
const leaf: fc.Arbitrary<Node> = fc.record({ kids: fc.constant([]), options: optionSets });
const tree: (depth: number) => fc.Arbitrary<Node> = fc.memo((depth) =>
  fc.record({
    kids: fc.array(
      fc.record({
        how: fc.constantFrom("itself", "code", "watch", "twice", "leave"),
        pause: fc.nat(12),
        node: depth > 1 ? tree(depth - 1) : leaf,
      }),
      { maxLength: 2 },
    ),
    options: optionSets,
  }),
);
const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.record({
    after: fc.nat(60),
    do: fc.constantFrom("send", "send", "send", "send", "send", "abort", "abortInside"),
    at: fc.nat(20),
    when: fc.constantFrom(...whens),
  }),
  { maxLength: 8 },
);

/** Everything that a schedule comes to. */
class Stage {
  readonly runs: Promise<RunResult>[] = [];
  readonly scopes: Promise<RunResult>[] = [];
  readonly watched: MethodRun[] = [];
  readonly nodes: Node[] = [];
  readonly sent: { readonly text: string; readonly receipt: Receipt; readonly atOnce: boolean }[] = [];

  readonly model = acting((request) => {
    const id = Number(promptOf(request));
    const kid = roundsOf(request);
    if (request.toolChoice === "none" || kid >= (this.nodes[id]?.kids.length ?? 0)) return `text ${id}`;
    return picks(call("act", { id, kid }));
  });

  readonly act = method({ name: "act", input: z.object({ id: z.number(), kid: z.number() }) }, async ({ id, kid }) => {
    const { how, pause, node } = this.nodes[id]!.kids[kid]!;
    const below = async () => {
      await microtasks(pause);
      return (await this.begin(node).result).text;
    };
    if (how === "twice") return Promise.all([below(), below()]);
    if (how === "leave") return void below().catch(() => {});
    const inner = method({ name: "inner" }, below);
    if (how === "code") return inner();
    return how === "watch" ? (await this.watch(inner.run()).result).text : below();
  });

  begin(node: Node, begin: typeof run = run): Run {
    const begun = begin(String(this.nodes.push(node) - 1), { tools: [this.act], ...node.options });
    this.runs.push(begun.result);
    return begun;
  }

  watch(handle: MethodRun): MethodRun {
    this.watched.push(handle);
    this.scopes.push(handle.result);
    return handle;
  }

  /** The root of a schedule: a run, or a method that is watched. */
  root(node: Node, watched: boolean): Run | MethodRun {
    const runtime = createRuntime({ model: this.model, recursion: { maxDepth: 99, maxRepeats: 99 } });
    if (!watched) return this.begin(node, runtime.run);
    return this.watch(
      method({ name: "root" }, async () => {
        await this.begin(node, runtime.run).result;
        await microtasks(5);
        return (await this.begin({ kids: [], options: {} }, runtime.run).result).text;
      }).run(),
    );
  }

  perform(handle: Run | MethodRun, { do: what, at, when }: Act, paths: readonly string[]): void {
    if (what === "abort") handle.abort();
    if (what === "abortInside") this.watched[at % Math.max(1, this.watched.length)]?.abort();
    if (what !== "send") return;
    const text = `message ${this.sent.length}`;
    const to = paths[at % (paths.length + 1)];
    const receipt = handle.send(text, { when, ...(to !== undefined && { to }) });
    this.sent.push({ text, receipt, atOnce: receipt.status === "undelivered" });
  }

  /** Waits for all that was begun, also by what goes on for longer. */
  async ended(): Promise<{ runs: readonly RunResult[]; scopes: readonly RunResult[] }> {
    for (let count = -1; count !== this.runs.length + this.scopes.length; ) {
      count = this.runs.length + this.scopes.length;
      await Promise.all([...this.runs, ...this.scopes]);
      await microtasks(50);
    }
    return { runs: await Promise.all(this.runs), scopes: await Promise.all(this.scopes) };
  }
}

const holding = (results: readonly RunResult[], text: string, of: (result: RunResult) => readonly string[]) =>
  results.filter((result) => of(result).includes(text)).length;
const heardBy = ({ messages }: RunResult) => usersOf(messages);
const leftIn = ({ undelivered }: RunResult) => usersOf(undelivered);

const seen = { delivered: 0, undelivered: 0, atOnce: 0, inScope: 0 };

async function schedule(node: Node, plan: readonly Act[], watched: boolean): Promise<void> {
  const stage = new Stage();
  const handle = stage.root(node, watched);
  const paths: string[] = [];
  const reading = (async () => {
    for await (const { type, path } of handle) if (type === "agent_start") paths.push(path);
  })();
  for (const act of plan) {
    await microtasks(act.after);
    stage.perform(handle, act, paths);
  }
  await reading;
  await handle.result;
  const { runs, scopes } = await stage.ended();
  for (const { text, receipt, atOnce } of stage.sent) {
    expect(receipt.status).not.toBe("queued");
    expect(await receipt.settled).toBe(receipt.status);
    const heard = holding(runs, text, heardBy);
    const left = [holding(runs, text, leftIn), holding(scopes, text, leftIn)] as const;
    if (receipt.status === "delivered") expect([heard, ...left]).toEqual([1, 0, 0]);
    else if (atOnce) expect([heard, ...left]).toEqual([0, 0, 0]);
    else expect([heard, left[0] === 1 ? left[1] <= 1 : left[1] === 1 && left[0] === 0]).toEqual([0, true]);
    seen[atOnce ? "atOnce" : (receipt.status as "delivered")]++;
    if (left[1] === 1 && left[0] === 0) seen.inScope++;
  }
  for (const { messages, usage } of runs) {
    expect(checkHistory(messages)).toEqual([]);
    expect(usage.totalTokens).toBe(0);
  }
}

test("whatever is sent and ended when: each message is read once, or is undelivered once", {
  timeout: 120_000,
}, async () => {
  await fc.assert(fc.asyncProperty(tree(3), acts, fc.boolean(), schedule), { numRuns: 2000 });
  // The schedules that were meant did happen.
  for (const [what, count] of Object.entries(seen)) expect([what, count > 30]).toEqual([what, true]);
});
