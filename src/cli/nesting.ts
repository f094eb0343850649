import type { AgentEvent } from "../loop/events.ts";

/** What stands before the lines of a run, so that one sees which run they are of. */
export type Nesting = {
  /** Two blanks for each run that this one is inside of; and its path, while others that it is not inside of go on. */
  before(event: AgentEvent): string;
};

/** Follows the runs inside a root by their events. */
export function nesting(): Nesting {
  // Paths of the runs inside that go on.
  const live = new Set<string>();
  return {
    before({ type, path }) {
      if (path === "") return "";
      if (type === "agent_end") live.delete(path);
      else live.add(path);
      const around = [...live].filter((other) => isWithin(path, other));
      const beside = [...live].some((other) => other !== path && !isWithin(path, other) && !isWithin(other, path));
      return `${"  ".repeat(around.length + 1)}${beside ? `[${path}] ` : ""}`;
    },
  };
}

const isWithin = (path: string, outer: string) => path.startsWith(`${outer}/`);
