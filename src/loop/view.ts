import type { AssistantMessage, Message, ToolCall } from "../message/message.ts";
import type { AgentEndEvent, MessageUpdate } from "./events.ts";
import type { RunView } from "./reader.ts";
import type { LoopRun, Picked } from "./run.ts";

/** What readers of a run that come late are told from. */
export class LoopView implements RunView {
  readonly #run: LoopRun;

  constructor(run: LoopRun) {
    this.#run = run;
  }

  get runId(): string {
    return this.#run.input.runId;
  }

  get path(): string {
    return this.#run.input.path;
  }

  get history(): readonly Message[] {
    return this.#run.input.history;
  }

  get start(): number {
    return this.#run.start;
  }

  get begun(): boolean {
    return this.#run.begun;
  }

  get end(): AgentEndEvent | undefined {
    return this.#run.end;
  }

  get seq(): number {
    return this.#run.input.emitter.seq;
  }

  startedCalls(): readonly ToolCall[] {
    return this.#run.started;
  }

  argumentsOf({ id }: ToolCall): string | undefined {
    return this.#run.edited?.get(id);
  }

  asked(): ToolCall | undefined {
    return this.#run.asking?.call;
  }

  decision(): Picked | undefined {
    return this.#run.decision;
  }

  inside(): readonly RunView[] {
    return this.#run.input.ambient.inside();
  }

  openReply(): readonly MessageUpdate[] | undefined {
    return this.#run.collector && updatesOf(this.#run.collector.message("stop"));
  }
}

function updatesOf(message: AssistantMessage): MessageUpdate[] {
  return message.content.flatMap((part): MessageUpdate[] => {
    if (part.type !== "tool_call") return [{ type: part.type, delta: part.text }];
    const { id, name, arguments: delta, partial } = part;
    const open: MessageUpdate[] = [
      { type: "call_start", id, name },
      { type: "call_delta", id, delta },
    ];
    return partial ? open : [...open, { type: "call_end", id }];
  });
}
