/**
 * What happens with calls that no rule speaks of. `"ask"`: a person is asked about every call of a tool that is not
 * `readOnly`. `"accept-edits"`: likewise, but `write_file` and `edit_file` run inside of the workspace. `"read-only"`:
 * calls of tools that are not `readOnly` are denied. `"all"`: nobody is asked, whatever a tool says of itself.
 */
export type ApprovalMode = (typeof approvalModes)[number];

export const approvalModes = ["ask", "accept-edits", "read-only", "all"] as const;

/** How far an approval goes: for this call; for equal ones until the root run ends; for equal ones of the runtime from then on. */
export type ApprovalScope = (typeof approvalScopes)[number];

export const approvalScopes = ["once", "run", "always"] as const;
