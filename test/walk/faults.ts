import { RondoError } from "../../src/error.ts";
import * as is from "./facts.ts";
import { must, same } from "./must.ts";
import type { Rule, Story } from "./story.ts";

/** A host that fails ends the run with an error that says so, and nothing is begun or asked of it any more. */
export const faults: Rule = (s) => {
  same(s.outcome, "error", "faults: the run of a host that fails ends with an error");
  const error = s.trace.result?.error;
  must(RondoError.isInstance(error) && error.code === "host", "faults: the error says that it was the host");
  for (const [index, entry] of s.log.entries()) {
    if (index <= s.faultAt || is.begunTogether(s, s.faultAt, index)) continue;
    const works = ["enter", "request", "tool_start", "callback"].includes(entry.type);
    must(!works, `faults: nothing is begun behind the fault, but there is a ${entry.type}`);
  }
  for (const text of takenInTime(s)) {
    const message = [...s.sent, ...s.given].find((one) => one.text === text);
    if (message === undefined) continue;
    same(message.inHistory + message.inUndelivered, 1, `faults: places of ${text}, which was taken before`);
  }
};

/** What the loop was given before the fault. A record that the host has lost was not given. */
function takenInTime({ log, turns, opening, faultAt }: Story): readonly string[] {
  const fault = log[faultAt];
  const lost = fault?.type === "fault" && fault.place.startsWith("behind") ? faultAt - 1 : -1;
  return [...opening, ...turns.flatMap(({ looks }) => looks)].flatMap(({ doneAt, taken }) =>
    doneAt < faultAt && doneAt !== lost ? taken.map(({ text }) => text) : [],
  );
}
