import type { AgentEndEvent } from "../loop/events.ts";
import type { RunView } from "../loop/reader.ts";
import { LoopView } from "../loop/view.ts";
import type { RunScope } from "./scope.ts";
import type { Ready } from "./start.ts";

/** What readers of a method that come late are told from, and which runs are directly in it. */
export class MethodView implements RunView {
  readonly history = [];
  readonly start = 0;
  begun = false;
  end: AgentEndEvent | undefined;
  /** Those that are going on. */
  live: readonly Ready[] = [];
  /** The one that was begun last. */
  last: Ready | undefined;
  readonly runId: string;
  readonly #scope: RunScope;

  constructor(runId: string, scope: RunScope) {
    this.runId = runId;
    this.#scope = scope;
  }

  get path(): string {
    return this.#scope.inherited.emitter.path;
  }

  get seq(): number {
    return this.#scope.inherited.emitter.seq;
  }

  /** Those that a late reader is told of: the ones going on, else the last. Earlier ones are not kept. */
  get direct(): readonly Ready[] {
    return this.live.length > 0 ? this.live : this.last ? [this.last] : [];
  }

  /** All that goes on inside; where nothing does that is directly in it, also the run that was the last. */
  inside(): readonly RunView[] {
    const live = this.#scope.inside();
    return this.last && this.live.length === 0 ? [new LoopView(this.last.loop), ...live] : live;
  }

  startedCalls() {
    return [];
  }

  openReply() {
    return undefined;
  }

  argumentsOf() {
    return undefined;
  }

  asked() {
    return undefined;
  }

  began(run: Ready): void {
    this.live = [...this.live, run];
    this.last = run;
  }

  ended(run: Ready): void {
    this.live = this.live.filter((one) => one !== run);
  }
}
