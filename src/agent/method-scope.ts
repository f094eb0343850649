import { Emitter } from "../loop/emitter.ts";
import { addUsage, noUsage, type Usage } from "../message/usage.ts";
import type { Frame } from "./frame.ts";
import type { Runtime } from "./runtime.ts";
import { type Inherited, RunScope, type Scope } from "./scope.ts";

/** Where it was begun: `around` only while the run there goes on. */
type Place = {
  readonly around: Scope | undefined;
  readonly here: Scope | undefined;
  readonly frame: Frame;
  runtime(): Runtime;
};

/** What the runs inside a watched method are nested in: like a run, but that no loop is driven for it. */
export class MethodScope extends RunScope {
  readonly control: AbortController;
  usage: Usage = noUsage;

  constructor(id: string, path: string, control: AbortController, { around, here, frame, runtime }: Place) {
    const outer = around?.run;
    const emitter = new Emitter(id, path, outer?.inherited.emitter);
    const own = { frame, emitter, signal: control.signal, outer };
    super(outer ? { ...outer.inherited, ...own } : { ...rootOptions(here, runtime), rootId: id, ...own });
    this.control = control;
  }

  override receiveUsage(usage: Usage): void {
    this.usage = addUsage(this.usage, usage);
    this.reportUsage(usage);
  }
}

/** What the runs in a method inherit where no run is around; one that has ended still binds what they may pick. */
function rootOptions(here: Scope | undefined, runtime: () => Runtime): Omit<Inherited, "rootId" | keyof Own> {
  const { registry, sources, allow, deny, disabled, asks, policy, approve } = here?.run?.inherited ?? nothing;
  const bound = { registry, sources, allow, deny, disabled, asks, policy, approve };
  const own = here?.run?.runtime ?? here?.base ?? runtime();
  return { ...nothing, runtime: own, ...bound, grants: { keys: undefined } };
}

type Own = Pick<Inherited, "frame" | "emitter" | "signal" | "outer">;

const nothing = {
  model: undefined,
  entries: undefined,
  registry: undefined,
  sources: [],
  allow: [],
  deny: [],
  disabled: [],
  asks: [],
  policy: undefined,
  deadlineAt: undefined,
  ledger: undefined,
  approve: "own",
} as const satisfies Partial<Inherited>;

/** How many runs a run is inside of; methods that are watched are none. */
export function runsAround(around: Scope | undefined): number {
  let count = 0;
  for (let at = around?.run; at; at = at.inherited.outer) if (!(at instanceof MethodScope)) count++;
  return count;
}
