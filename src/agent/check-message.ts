import type { Outgoing, When } from "../host/host.ts";
import { checkNames, isRecord, mistake, shown } from "./check-options.ts";
import type { SendOptions } from "./options.ts";

const whens: readonly unknown[] = ["now", "after_round", "at_end"] satisfies When[];

/** The options of `send`; throws for those that do not exist. What `when` and `to` hold is checked where they are used. */
export function checkedSend(options: SendOptions): SendOptions {
  if (!isRecord(options)) throw mistake(`The options of send must be an object, not ${shown(options)}.`);
  checkNames(options, { when: true, to: true } satisfies Record<keyof SendOptions, true>, "option of send");
  const { to } = options;
  if (to !== undefined && typeof to !== "string") throw mistake(`"to" must be the path of a run, not ${shown(to)}.`);
  return options;
}

/** Throws for what is no message for an inbox; its content is checked where it is read. */
export function checkOutgoing(message: Outgoing): void {
  const given: unknown = message;
  if (!isRecord(given)) throw mistake(`A message must be an object with a kind, not ${shown(given)}.`);
  const { kind } = given;
  if (whens.includes(kind)) return;
  if (kind === "control") checkControl(given.control);
  else if (kind === "approval") checkAnswer(given.approval);
  else throw mistake(`"kind" must be ${whens.join(", ")}, approval or control, not ${shown(kind)}.`);
}

function checkControl(control: unknown): void {
  const { type, reason } = isRecord(control) ? control : {};
  if ((type === "abort" || type === "timeout") && (reason === undefined || typeof reason === "string")) return;
  throw mistake(`"control" must be { type: "abort" or "timeout", reason? }, not ${shown(control)}.`);
}

function checkAnswer(approval: unknown): void {
  const { callId, approved, reason, arguments: edited } = isRecord(approval) ? approval : {};
  const good = typeof callId === "string" && typeof approved === "boolean";
  if (good && [reason, edited].every((one) => one === undefined || typeof one === "string")) return;
  throw mistake(
    `"approval" must be { callId, approved, reason?, arguments? } with the arguments as JSON text, not ${shown(approval)}.`,
  );
}
