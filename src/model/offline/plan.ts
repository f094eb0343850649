import { canonicalJson, type JsonObject } from "../../message/json.ts";
import type { RequestToolChoice } from "../model.ts";
import { sameAgain } from "./again.ts";
import { withAntecedents } from "./antecedent.ts";
import { type Clause, clausesOf, wholeOf } from "./clauses.ts";
import { type Count, countAsked, countOf } from "./counted.ts";
import { isList, type Previous } from "./handed.ts";
import type { Done, Situation, Stretch } from "./history.ts";
import { hoisted } from "./hoist.ts";
import { joined } from "./join.ts";
import { type Part, partsOf } from "./parts.ts";
import { type Call, pickForced, type Verdict } from "./pick.ts";
import type { Menu } from "./profile.ts";
import { type Reading, readingOf } from "./reading.ts";
import { feedOf } from "./refer.ts";
import type { Step } from "./step.ts";

/** Tools filled times things mentioned: an ordinary request needs a few hundred, a hostile one ends here. */
const mostWork = 30_000;

/** What became of one clause. */
export type Entry =
  | { readonly kind: "done"; readonly step: Step }
  | { readonly kind: "open"; readonly clause: Clause; readonly verdict: Exclude<Verdict, { kind: "call" }> }
  /** A call that would repeat one that failed, or that may not be made in this reply. */
  | { readonly kind: "held"; readonly clause: Clause; readonly why: "failed" | "no_tools"; readonly name: string }
  /** It asks how many there are of what the step before found: no tool is needed for that. */
  | { readonly kind: "counted"; readonly clause: Clause; readonly count: Count; readonly step: Step }
  /** It only told something that another clause needed. */
  | { readonly kind: "context"; readonly clause: Clause };

/** The next call, if there is one, and what became of every clause up to it. */
export type Plan = {
  readonly next?: { readonly name: string; readonly arguments: JsonObject };
  readonly entries: readonly Entry[];
};

/**
 * Goes through the clauses of the request as if for the first time: each is read and picked for again, and what history
 * shows as done is taken as its result. So nothing has to be remembered between requests. The first clause whose call
 * has not been made is the next step.
 */
export function planOf(situation: Situation, known: Menu, choice: RequestToolChoice, work = mostWork): Plan {
  const menu = { ...known, work: { left: work } };
  const stretch = situation.stretches.at(-1) ?? { request: "", done: [] };
  const turns = [...situation.earlier, ...situation.stretches.slice(0, -1)];
  const before = stepsOf(turns);
  const previous = () => previousTurn(situation, turns, { ...known, work: { left: work } });
  const walk = walkOf(stretch, menu, { before, previous, held: choice === "none" });
  if (choice === "auto" || choice === "none") return walk;
  const names = choice === "required" ? undefined : choice.names;
  if (walk.next && (names === undefined || names.includes(walk.next.name))) return walk;
  const forced = pickForced(menu, readingsFor(situation, walk.entries, before, previous()), names);
  if (forced?.kind === "call") return { next: forced, entries: walk.entries };
  // None of the names is in the menu: nothing else may stand in for it.
  return walkOf(stretch, menu, { before, previous, held: true });
}

/** What the last turn came to, if all of its calls are its clauses' and it was not given up for a newer message. */
function previousTurn({ stretches }: Situation, turns: readonly Stretch[], menu: Menu): Previous | undefined {
  const last = turns.at(-1);
  if (!last || stretches.length > 1 || !last.done.every(({ own }) => own)) return undefined;
  return walkOf(last, menu, { before: stepsOf(turns.slice(0, -1)), held: true }).previous;
}

type Start = {
  readonly before: readonly Step[];
  readonly previous?: () => Previous | undefined;
  readonly held: boolean;
};
type Walk = Plan & { readonly previous?: Previous | undefined };

function walkOf(stretch: Stretch, menu: Menu, { before, held, ...start }: Start): Walk {
  const clauses = clausesOf(stretch.request);
  const anew = before.length === 0;
  const readings = withAntecedents(
    clauses.flatMap((clause, index) => hoisted(clause, index, clauses, anew)).map(readingOf),
  );
  const left = [...stretch.done];
  const steps = [...before];
  const entries: Entry[] = [];
  const context = new Set<Reading>();
  let previous = pointsBack(readings[0]) ? start.previous?.() : undefined;
  let lists = 0;
  let last: { readonly reading: Reading; readonly verdict: Call } | undefined;
  const parts = (reading: Reading): readonly Part[] => {
    const feed = feedOf(reading, steps, previous);
    const found = partsOf(menu, reading, feed);
    const only = found.length === 1 ? found[0] : undefined;
    if (!only || only.verdict.kind === "call" || only.verdict.kind === "barred") return found;
    // To change something takes a demand of its own.
    const again =
      last && !last.verdict.profile.writes && continuation.test(reading.text)
        ? sameAgain(last.verdict, last.reading, reading)
        : undefined;
    if (again) return [{ reading, verdict: again }];
    const { verdict, told } = joined(menu, reading, only.verdict, readings, feed);
    for (const one of told) context.add(one);
    return [{ reading, verdict }];
  };
  for (const whole of readings) {
    const count = countFor(whole, previous);
    if (previous && count) {
      entries.push({ kind: "counted", clause: whole.clause, count, step: previous.step });
      previous = { ...previous, count };
      continue;
    }
    const all = parts(whole);
    let came: Previous | undefined;
    for (const { reading, verdict } of all) {
      if (verdict.kind !== "call") {
        entries.push({ kind: "open", clause: reading.clause, verdict });
        continue;
      }
      last = { reading, verdict };
      const done = take(left, verdict);
      if (done) {
        const step = { reading, done, several: all.length > 1 };
        steps.push(step);
        entries.push({ kind: "done", step });
        if (isList(step)) lists += 1;
        const { writes, families } = verdict.profile;
        // Of several calls no one is what is meant.
        if (all.length === 1) came = { step, writes: writes && !families.has("compute"), lists };
      } else if (stretch.done.some((one) => one.result.isError && same(one, verdict))) {
        entries.push({ kind: "held", clause: reading.clause, why: "failed", name: verdict.name });
      } else if (held) {
        entries.push({ kind: "held", clause: reading.clause, why: "no_tools", name: verdict.name });
      } else {
        return { next: verdict, entries };
      }
    }
    previous = came;
  }
  // Calls that no clause explains: another model made them, or they were forced.
  for (const done of left) entries.push({ kind: "done", step: stepFor(stretch, done) });
  return {
    entries: entries.map((entry) => asContext(entry, context)),
    ...(left.length === 0 && { previous }),
  };
}

/** Only then the turn before is gone through again. */
function pointsBack(first: Reading | undefined): boolean {
  return first !== undefined && (first.hands ?? first.refers ?? countAsked(first.text)) !== undefined;
}

function countFor({ text, clause }: Reading, previous: Previous | undefined): Count | undefined {
  const of = clause.barred ? undefined : countAsked(text);
  return previous && of && !previous.writes ? countOf(previous.step, of) : undefined;
}

// A clause that asks for the same as the one before: "and for Rome?", "what about Oslo?"
const continuation =
  /^(?:and|also|then|next|again|another|likewise|similarly|same|do the same|what about|how about|for|in|(?:the )?(?:second|third|other|next))\b/iu;

function asContext(entry: Entry, context: ReadonlySet<Reading>): Entry {
  if (entry.kind !== "open") return entry;
  return [...context].some(({ clause }) => clause === entry.clause) ? { kind: "context", clause: entry.clause } : entry;
}

/** Takes the result of a call out of the list: of the very call, else of the next one of its name that we made. */
function take(left: Done[], wanted: { readonly name: string; readonly arguments: JsonObject }): Done | undefined {
  const exact = left.findIndex((done) => same(done, wanted));
  const index = exact >= 0 ? exact : left.findIndex(({ own, call }) => own && call.name === wanted.name);
  return index < 0 ? undefined : left.splice(index, 1)[0];
}

function same(done: Done, wanted: { readonly name: string; readonly arguments: JsonObject }): boolean {
  return done.call.name === wanted.name && canonicalJson(done.arguments) === canonicalJson(wanted.arguments);
}

function stepsOf(stretches: readonly Stretch[]): readonly Step[] {
  return stretches.flatMap((stretch) => stretch.done.map((done) => stepFor(stretch, done)));
}

function stepFor(stretch: Stretch, done: Done): Step {
  return { reading: readingOf(wholeOf(stretch.request)), done };
}

/** Where a forced call may find its arguments: in what is not done, in the whole request, in the requests before. */
function readingsFor(
  { stretches, earlier }: Situation,
  entries: readonly Entry[],
  before: readonly Step[],
  previous: Previous | undefined,
) {
  const finished = new Set(entries.flatMap((entry) => (entry.kind === "done" ? [entry.step.reading.text] : [])));
  const requests = [...earlier, ...stretches]
    .toReversed()
    .slice(0, 4)
    .map(({ request }) => request);
  const clauses = requests.flatMap((request) => [
    ...clausesOf(request).filter(({ text }) => !finished.has(text)),
    wholeOf(request),
  ]);
  return clauses.map((clause) => {
    const reading = readingOf(clause);
    return [reading, feedOf(reading, before, previous)] as const;
  });
}
