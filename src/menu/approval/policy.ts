import type { MenuTool } from "../entry.ts";
import type { Judgement } from "./judge.ts";
import type { ApprovalScope } from "./mode.ts";

/** Who has to agree to the calls of a run. */
export type CallPolicy = {
  /**
   * What rules say of a call with these validated arguments; `name` is the one that it was made by, `through` the tool that
   * calls of it go through, however this one came.
   */
  judge(tool: MenuTool, value: unknown, name: string, through?: MenuTool): Judgement;
  /** A person has agreed already, to an equal call. */
  isGranted(tool: MenuTool, value: unknown): boolean;
  /** A person agrees to equal calls as well. Rejects with what keeping that threw. */
  grant(tool: MenuTool, value: unknown, scope: ApprovalScope): Promise<void> | undefined;
};
