import type { AgentEvent, Model, ModelRequest } from "../../src/core.ts";
import { textOf } from "../../src/message/message.ts";
import { type ScriptEntry, type ScriptedModel, type ScriptedReply, scripted } from "../../src/testing/index.ts";

/** The prompt of the run that a request belongs to. */
export const promptOf = ({ messages }: ModelRequest): string => {
  const first = messages[0];
  return first ? textOf(first) : "";
};

/** One model with a script for each prompt, for runs that go on at once. */
export function routed(scripts: { readonly [prompt: string]: readonly ScriptEntry[] }) {
  const models: { [prompt: string]: ScriptedModel } = {};
  for (const [prompt, script] of Object.entries(scripts)) models[prompt] = scripted(script);
  const model: Model = {
    id: "routed",
    stream(request, signal) {
      const own = models[promptOf(request)];
      if (!own) throw new Error(`No script for the prompt "${promptOf(request)}".`);
      return own.stream(request, signal);
    },
  };
  return { model, of: (prompt: string) => models[prompt]?.requests ?? [] };
}

/** A model that answers each request from what it holds. */
export function acting(reply: (request: ModelRequest) => ScriptedReply | Promise<ScriptedReply>): Model {
  return {
    id: "acting",
    stream: (request, signal) => scripted([() => reply(request)]).stream(request, signal),
  };
}

/** Rounds that a request has behind it. */
export const roundsOf = ({ messages }: ModelRequest) => messages.filter(({ role }) => role === "assistant").length;

export const endOf = (events: readonly AgentEvent[], path: string) =>
  events.find((event) => event.type === "agent_end" && event.path === path);

export const namesOf = (request: ModelRequest | undefined) => request?.tools.map(({ name }) => name);

/** The paths of these events, each once, in the order in which they came. */
export const pathsOf = (events: readonly AgentEvent[]) => [...new Set(events.map(({ path }) => path))];
