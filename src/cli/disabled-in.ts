import { askedFor } from "../menu/asks.ts";
import type { ToolExplanation } from "../menu/explain.ts";
import { disabledByUser } from "../menu/gates/policy.ts";
import type { Files } from "./config/load-config.ts";

/** Says of a tool that is disabled for good where that stands, if it is not the user's own file. */
export function disabledIn(
  { user, project }: Pick<Files, "user" | "project">,
  agents: readonly string[] = [],
): (told: ToolExplanation) => ToolExplanation {
  const byUser = askedFor(user.disabledTools ?? []);
  const byProject = askedFor(project?.config.disabledTools ?? []);
  const byAgent = askedFor(agents);
  const where = (name: string): string => {
    if (byUser(name)) return disabledByUser;
    if (project && byProject(name)) return `${project.path} has disabled it`;
    return byAgent(name) ? "the agent's toolsDisabled names it" : disabledByUser;
  };
  return (told) =>
    told.status === "dropped" && told.reason === disabledByUser ? { ...told, reason: where(told.name) } : told;
}
