import { describe, expect, it } from "vitest";
import { sourceGate } from "./source.ts";

describe("sourceGate", () => {
  const tool = { unsafeIn: ["chat", "mail"] };
  it("hides a tool where it is unsafe", () => {
    expect(sourceGate(tool, "mail")).toBe('it is not offered to requests from "mail"');
  });
  it.each([undefined, "cli", "", "Mail"])("lets it pass from %j", (source) => {
    expect(sourceGate(tool, source)).toBe(undefined);
  });
});
