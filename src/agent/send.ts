import type { Outgoing, Receipt, When } from "../host/host.ts";
import { LiveReceipt } from "../host/receipt.ts";
import type { UserMessage } from "../message/message.ts";
import { mistake, shown } from "./check-options.ts";
import { type Content, userMessage } from "./content.ts";
import type { RunScope } from "./scope.ts";

const whens: readonly When[] = ["now", "after_round", "at_end"];

/** A message on its way to a run; throws for what is no message, and for a `when` that there is not. */
export function outgoing(content: Content | UserMessage, when: When = "now"): Outgoing {
  if (!whens.includes(when)) throw mistake(`"when" must be ${whens.join(", ")}, not ${shown(when)}.`);
  return { kind: when, message: userMessage(content, "The message") };
}

/** Sends to the run at this path, anywhere inside a root: `undelivered` at once if it has ended, a mistake if there never was one. */
export function sendTo(root: RunScope, path: string, message: Outgoing): Receipt {
  const { runs, recipient, inherited } = root;
  if (path === inherited.emitter.path) return recipient?.send(message) ?? undelivered();
  if (!runs?.has(path)) {
    const going = runs ? [...runs].flatMap(([at, one]) => (one ? [`"${at}"`] : [])) : [];
    const known = going.length > 0 ? `Runs are going on at ${going.join(", ")}.` : "No nested run is going on.";
    throw mistake(`"to": there has been no run at path ${shown(path)}. ${known}`);
  }
  return runs.get(path)?.recipient?.send(message) ?? undelivered();
}

/** The receipt of a message that nobody will read. */
export function undelivered(): Receipt {
  const receipt = new LiveReceipt("");
  receipt.settle("undelivered");
  return receipt;
}
