import type { Msg, MsgKind, Taken } from "../host/host.ts";
import { type ApprovalScope, approvalScopes } from "../menu/approval/mode.ts";
import { readArguments } from "../menu/arguments.ts";
import { inTime } from "../menu/in-time.ts";
import { unlessInterrupted } from "../menu/interrupts.ts";
import { type Prepared, type Preparing, prepareCall, unprepared, type Within } from "../menu/prepare.ts";
import type { ToolCall, UserMessage } from "../message/message.ts";
import { thrownMessage } from "../message/thrown-text.ts";
import { apply } from "./apply.ts";
import { decide, stopsAtLimit } from "./decide.ts";
import { sameArguments } from "./guard.ts";
import { type LoopRun, warn } from "./run.ts";
import { inQuestion, type LoopRecord, type Pending, type PreparedCall, type State } from "./state.ts";

/** The key of the next step that is neither a request nor a call. */
const place = (run: LoopRun, what: string) => `${run.key}/${run.state.requests}/${what}.${++run.positions}`;

export function drain(run: LoopRun, kinds: readonly MsgKind[]): Promise<void> | undefined {
  const record = ({ at, messages }: Taken) => {
    run.state = apply(run.state, { at, type: "drained", messages });
    return messages.length > 0 ? heard(run, messages) : undefined;
  };
  const taken = run.input.open.host.inbox.drain(place(run, "drain"), kinds);
  if (taken instanceof Promise) return taken.then(record);
  return record(taken);
}

/** Takes what came since, or closes the inbox: in one go, so that no message falls between. */
export async function take(run: LoopRun): Promise<void> {
  const taken = await run.input.open.host.inbox.takeOrClose(place(run, "take"));
  const record: LoopRecord =
    "closed" in taken
      ? { at: taken.at, type: "closed", messages: [] }
      : { at: taken.at, type: "taken", messages: taken.messages };
  run.state = apply(run.state, record);
  if (!("closed" in taken)) await heard(run, taken.messages);
}

/** Closes the inbox; what is left in it is undelivered. */
export async function close(run: LoopRun): Promise<void> {
  const { host } = run.input.open;
  const pending = idsOf(run.state.pending);
  const { at, messages } = await host.inbox.close(place(run, "close"));
  run.state = apply(run.state, { at, type: "closed", messages });
  const ids = [...pending, ...messages.map(({ id }) => id)];
  if (ids.length > 0) await host.settle(ids, "undelivered");
}

/** Tells the host which messages the coming round reads; the closing request is none. */
export async function delivered(run: LoopRun, messages: readonly Pending[]): Promise<void> {
  const ids = idsOf(messages);
  if (ids.length === 0) return;
  const next = decide(run.state);
  const round = next.do === "ask" && next.kind === "round" ? run.state.rounds + 1 : undefined;
  await run.input.open.host.settle(ids, "delivered", round);
}

/** Aborts and answers to approvals are read when they are taken: their receipts are settled at once. */
function heard(run: LoopRun, messages: readonly Msg[]): Promise<void> | undefined {
  const ids = messages.flatMap((one) => (one.kind === "control" || one.kind === "approval" ? [one.id] : []));
  const settled = ids.length > 0 ? run.input.open.host.settle(ids, "delivered") : undefined;
  return settled instanceof Promise ? settled : undefined;
}

const idsOf = (messages: readonly Pending[]) => messages.flatMap(({ id }) => (id === undefined ? [] : [id]));

/** Asks one of the caller's callbacks: a step of its own, so that a resumed run gets the same answer. */
export async function callback(run: LoopRun, which: "steering" | "followUps"): Promise<void> {
  const ask = run.input[which];
  const name = which === "steering" ? "getSteeringMessages" : "getFollowUpMessages";
  const recorded = await run.input.open.host.step<readonly UserMessage[]>(
    place(run, which),
    { onLost: "rerun" },
    async () => {
      try {
        const given = await unlessInterrupted(run.interrupts, ask?.());
        for (const problem of given?.problems ?? []) warn(run, "callback", `${name}: ${problem}`);
        return given?.messages ?? [];
      } catch (thrown) {
        warn(run, "callback", `${name} threw and counts as empty: ${thrownMessage(thrown)}`);
        return [];
      }
    },
  );
  const messages = "value" in recorded ? recorded.value : [];
  run.state = apply(run.state, { at: recorded.at, type: which === "steering" ? "steered" : "followed", messages });
}

/** Waits for a person's word on the next call; an abort, the deadline and a message to be read now end the waiting. */
export async function approval(run: LoopRun): Promise<void> {
  const { open, config, approvalTimeoutMs } = run.input;
  const asked = inQuestion(run.state);
  const { call, verdict, option } = asked;
  if (run.asking?.call !== call && isGranted(run)) {
    run.state = apply(run.state, {
      at: run.state.since,
      type: "approval",
      messages: [],
      waitedOut: false,
      granted: true,
      edited: undefined,
    });
    return;
  }
  if (run.asking?.call !== call) request(run);
  const until = run.state.since + (approvalTimeoutMs ?? Infinity);
  const last = Math.min(until, config.deadlineAt ?? Infinity);
  const { at, messages } = await open.host.inbox.wait(
    place(run, "approval"),
    nothingMoreIsRead(run.state) ? ["approval", "control"] : ["approval", "control", "now"],
    last === Infinity ? undefined : last,
  );
  const answer = messages.find((m) => m.kind === "approval" && m.approval.callId === call.id);
  const said = answer?.kind === "approval" ? answer.approval : undefined;
  const raw = said?.arguments;
  let edited: PreparedCall | undefined;
  if (raw !== undefined) {
    const within: Within = (call, body) => run.input.ambient.check(placeInQuestion(run), call.id, body);
    const { policy } = run.input.ambient;
    const preparing: Preparing = { menu: menuInQuestion(run), choice: "auto", canApprove: true, policy, within };
    const again: ToolCall = { ...call, name: option ?? call.name, arguments: raw };
    const ready = await unlessInterrupted(run.interrupts, prepareCall(again, preparing));
    const prepared = ready ?? unprepared(again, preparing);
    replacePrepared(run, prepared);
    edited = { ...asked, verdict: { ...prepared.verdict, satisfies: verdict.satisfies } };
    const runs = said?.approved && prepared.verdict.problem === undefined;
    if (runs && !sameArguments(raw, call.arguments)) {
      run.edited ??= new Map();
      run.edited.set(call.id, raw);
    }
  }
  if (said?.approved === true) await keep(run, said.scope);
  if (answer) run.asking = undefined;
  else if (messages.some(({ kind }) => kind !== "approval") || open.host.signal.aborted || at >= until) {
    run.asking?.control.abort();
    run.asking = undefined;
  }
  const waitedOut = at >= until;
  run.state = apply(run.state, { at, type: "approval", messages, waitedOut, edited });
  await heard(run, messages);
}

/** Whether a person has agreed to an equal call since this one was prepared. */
function isGranted(run: LoopRun): boolean {
  const { tool, value } = preparedInQuestion(run) ?? {};
  return tool !== undefined && run.input.ambient.policy.isGranted(tool, value);
}

/** Keeps in mind that a person has agreed to calls like this one, as it runs. */
async function keep(run: LoopRun, scope: ApprovalScope = "once"): Promise<void> {
  const { tool, value, verdict } = preparedInQuestion(run) ?? {};
  if (!tool || verdict?.problem !== undefined) return;
  if (!approvalScopes.includes(scope)) {
    warn(run, "approval", `approve gave a scope that there is not, so its yes is for this call alone: ${named(scope)}`);
    return;
  }
  try {
    const kept = run.input.ambient.policy.grant(tool, value, scope);
    if (kept)
      await unlessInterrupted(
        run.interrupts,
        inTime(kept, keepMs, () => notKept(run)),
      );
  } catch (thrown) {
    warn(run, "approval", `"Always" could not be kept, so it holds for this runtime only: ${thrownMessage(thrown)}`);
  }
}

/** How long `onAlways` may hold a call that a person has agreed to, in milliseconds. */
const keepMs = 30_000;

const notKept = (run: LoopRun) =>
  warn(run, "approval", `"Always" was not kept in ${keepMs / 1000} s, so it may hold for this runtime only.`);

const named = (scope: unknown): string => String(JSON.stringify(scope) ?? typeof scope).slice(0, 80);

/** Behind the last reply no message can be read any more, so none ends the waiting for a person. */
const nothingMoreIsRead = (s: State) => s.picked !== undefined && (s.closing !== undefined || stopsAtLimit(s));

/** Whether the question is about the function that was picked as the decision. */
const isPick = ({ state }: LoopRun) => state.picked !== undefined;

const placeInQuestion = (run: LoopRun) => (isPick(run) ? "decision" : `${run.state.requests}/${run.state.next}`);

const menuInQuestion = (run: LoopRun) => (isPick(run) ? run.input.options! : run.input.menu);

const preparedInQuestion = (run: LoopRun): Prepared | undefined =>
  isPick(run) ? run.pick?.prepared : run.prepared[run.state.next];

function replacePrepared(run: LoopRun, prepared: Prepared): void {
  if (isPick(run)) run.pick = { prepared };
  else run.prepared = run.prepared.map((one, i) => (i === run.state.next ? prepared : one));
}

/** Puts the question; its answer comes through the inbox like one from elsewhere. */
function request(run: LoopRun): void {
  const { ambient, approve, emitter, open } = run.input;
  const { call } = inQuestion(run.state);
  const control = new AbortController();
  run.asking = { call, control };
  emitter.emit({ type: "approval_request", call });
  const tool = preparedInQuestion(run)?.tool;
  const asked = async () => {
    // Read anew, and the call a copy: what the hook is shown is its own.
    const again = tool && (() => readArguments(tool.input, call.arguments, call.name));
    const read = again && (await ambient.check(placeInQuestion(run), call.id, again));
    const value = read && "value" in read ? read.value : undefined;
    return approve?.({ ...call }, tool, value, control.signal, placeInQuestion(run)) ?? { approved: false };
  };
  asked().then(
    (answer) => open.send({ kind: "approval", approval: { ...answer, callId: call.id } }),
    (thrown: unknown) => {
      const reason = "the approve hook failed";
      if (!control.signal.aborted)
        warn(run, "approval", `approve threw, which denies the call: ${thrownMessage(thrown)}`);
      return open.send({ kind: "approval", approval: { callId: call.id, approved: false, reason } });
    },
  );
}
