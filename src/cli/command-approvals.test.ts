import { describe, expect, test } from "vitest";
import { askedAbout, commandApprovals } from "./command-approvals.ts";

const nothing = { deny: [], ask: [], allow: [] };
const modeOf = (
  flags: { yes?: boolean; readOnly?: boolean },
  users?: "ask" | "accept-edits" | "read-only" | "all",
  agents?: "ask" | "accept-edits" | "read-only" | "all",
) =>
  commandApprovals(
    { yes: false, readOnly: false, ...flags },
    { folder: "/f", approvals: { ...nothing, ...(users && { mode: users }) } },
    agents && { mode: agents },
  ).mode;

describe("the mode of the command", () => {
  test.each([
    [{}, undefined, undefined, undefined],
    [{ yes: true }, undefined, undefined, "all"],
    [{ readOnly: true }, "all", "all", "read-only"],
    [{}, "accept-edits", undefined, "accept-edits"],
    [{ yes: true }, "ask", undefined, "all"],
    [{ yes: true }, "read-only", undefined, "read-only"],
    [{ yes: true }, undefined, "read-only", "read-only"],
    [{}, "all", "ask", "ask"],
    [{ yes: true }, undefined, "ask", "all"],
    [{}, undefined, "all", undefined],
    [{}, "ask", "accept-edits", "ask"],
  ] as const)("flags %j, user %s, agent %s: %s", (flags, users, agents, mode) => {
    expect(modeOf(flags, users, agents)).toBe(mode);
  });
  test("an agent's own runtime adds denials and questions, and allows nothing", () => {
    const agents = { deny: ["b"], ask: ["d"], allow: ["e"] };
    const users = { deny: ["a"], ask: ["c"], allow: ["f"] };
    expect(commandApprovals({ yes: false, readOnly: false }, { folder: "/f", approvals: users }, agents)).toMatchObject(
      {
        deny: ["a", "b"],
        ask: ["c", "d"],
        allow: ["f"],
      },
    );
  });
  test("what the command line denies is denied beside that", () => {
    const flags = { yes: true, readOnly: false, deny: ["x", "bash(rm *)"] };
    const { deny } = commandApprovals(flags, { folder: "/f", approvals: { ...nothing, deny: ["a"] } }, { deny: ["b"] });
    expect(deny).toEqual(["x", "bash(rm *)", "a", "b"]);
  });
  test("what writes is asked about unless a mode says what becomes of it", () => {
    expect(askedAbout({}, ["x"])).toEqual(["write_file", "edit_file", "x"]);
    expect(askedAbout({ mode: "accept-edits" }, ["x"])).toEqual(["x"]);
  });
});
