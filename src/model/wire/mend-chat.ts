import { unnamedTool } from "../../message/repair.ts";
import { type CallPiece, chatCalls } from "./chat-calls.ts";
import type { GrammarMender, WireEvent } from "./mend.ts";
import type { WireNotes } from "./notes.ts";

type Delta = { readonly content?: unknown; readonly tool_calls?: unknown };
type Choice = {
  readonly delta?: Delta;
  readonly message?: Delta;
  readonly finish_reason?: unknown;
};

/** Chat completions, of OpenAI and all who speak as it does. */
export function mendChat(notes: WireNotes): GrammarMender {
  const calls = chatCalls(notes, unnamedTool);
  let said = false;
  let finished = false;

  const nameless = (): WireEvent[] => {
    const waiting = calls.nameless();
    return waiting.length === 0 ? [] : [chunk({ tool_calls: waiting })];
  };

  return {
    event(event) {
      const [sent, ...others] = event.choices as (Choice | undefined)[];
      if (sent === undefined) return undefined;
      // The whole reply at once, of servers that do not stream; behind a stream it is that stream once more.
      const isWhole = !sent.delta && Boolean(sent.message) && !said && !calls.any;
      const choice = isWhole ? { ...sent, delta: sent.message } : sent;
      said ||= Boolean(choice.delta?.content);
      const ends = typeof choice.finish_reason === "string" && choice.finish_reason !== "";
      finished ||= ends;
      const pieces = choice.delta?.tool_calls;
      const routed = Array.isArray(pieces) ? routedPieces(pieces as CallPiece[], calls.route) : undefined;
      const mended = (routed || isWhole) && {
        ...event,
        choices: [
          { ...choice, delta: { ...choice.delta, tool_calls: routed?.length === 0 ? undefined : (routed ?? pieces) } },
          ...others,
        ],
      };
      const waiting = ends ? nameless() : [];
      return !mended && waiting.length === 0 ? undefined : [...waiting, mended || event];
    },
    error({ message, type, code }, { error, choices }) {
      if (choices === undefined && isError(error)) return undefined;
      const codes = { ...(type === undefined ? undefined : { type }), ...(code === undefined ? undefined : { code }) };
      return { error: { message, param: null, ...codes } };
    },
    /** This is an end too, of servers that give no reason for it. */
    done() {
      const ending = finished || !(said || calls.any) ? [] : [chunk({}, "stop")];
      return [...nameless(), ...ending];
    },
    end: nameless,
  };
}

const chunk = (delta: WireEvent, finish_reason: string | null = null): WireEvent => ({
  choices: [{ index: 0, delta, finish_reason }],
});

/** A message alone is not enough for OpenAI's package. */
const isError = (error: unknown): boolean => {
  if (typeof error !== "object" || error === null) return false;
  const { message, type, code } = error as WireEvent;
  return typeof message === "string" && message !== "" && (typeof type === "string" || code !== undefined);
};

/** Undefined when every piece goes on as it is. */
function routedPieces(
  pieces: readonly CallPiece[],
  route: (piece: CallPiece) => CallPiece | undefined,
): CallPiece[] | undefined {
  const routed = pieces.map(route);
  return routed.every((piece, at) => piece === pieces[at]) ? undefined : routed.filter((piece) => piece !== undefined);
}
