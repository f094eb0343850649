import { expect, test } from "vitest";
import type { AgentEvent } from "../loop/events.ts";
import { nesting } from "./nesting.ts";
import { numbered } from "./report.fixture.ts";

const at = (path: string): AgentEvent => numbered([{ type: "agent_start" }], path)[0]!;
const end = (path: string): AgentEvent => ({ ...at(path), type: "agent_end" }) as AgentEvent;

test("two blanks for each run around, however long the path", () => {
  const runs = nesting();
  expect(["", "1/0/0", "1/0/0/2/1/0", "1/0/0", ""].map((path) => runs.before(at(path)))).toEqual([
    "",
    "  ",
    "    ",
    "  ",
    "",
  ]);
});

test("runs beside each other say which they are, until one is left", () => {
  const runs = nesting();
  expect(runs.before(at("1/0/0"))).toBe("  ");
  expect(runs.before(at("1/0/1"))).toBe("  [1/0/1] ");
  expect(runs.before(at("1/0/0"))).toBe("  [1/0/0] ");
  expect(runs.before(at("1/0/0/1/0/0"))).toBe("    [1/0/0/1/0/0] ");
  expect(runs.before(end("1/0/0/1/0/0"))).toBe("    [1/0/0/1/0/0] ");
  expect(runs.before(end("1/0/1"))).toBe("  [1/0/1] ");
  expect(runs.before(at("1/0/0"))).toBe("  ");
});

test("1/0/1 is not inside of 1/0/10, nor the other way round", () => {
  const runs = nesting();
  runs.before(at("1/0/1"));
  expect(runs.before(at("1/0/10"))).toBe("  [1/0/10] ");
});
