import { Emitter } from "../loop/emitter.ts";
import { addUsage, noUsage, type Usage } from "../message/usage.ts";
import type { Frame } from "./frame.ts";
import type { Runtime } from "./runtime.ts";
import { type Inherited, RunScope, type Scope } from "./scope.ts";

/** What the runs inside a watched method are nested in: like a run, but that no loop is driven for it. */
export class MethodScope extends RunScope {
  readonly control: AbortController;
  usage: Usage = noUsage;

  constructor(id: string, path: string, around: Scope | undefined, frame: Frame, runtime: () => Runtime) {
    const control = new AbortController();
    const outer = around?.run;
    const emitter = new Emitter(id, path, outer?.inherited.emitter);
    const own = { frame, emitter, signal: control.signal, outer };
    super(outer ? { ...outer.inherited, ...own } : { ...nothing, rootId: id, runtime: runtime(), ...own });
    this.control = control;
  }

  override receiveUsage(usage: Usage): void {
    this.usage = addUsage(this.usage, usage);
    this.reportUsage(usage);
  }
}

/** What runs inherit where no run is around. */
const nothing = {
  model: undefined,
  entries: undefined,
  registry: undefined,
  source: undefined,
  allow: [],
  deny: [],
  deadlineAt: undefined,
  ledger: undefined,
  approve: "own",
} as const satisfies Partial<Inherited>;
