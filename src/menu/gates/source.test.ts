import { describe, expect, it } from "vitest";
import { sourceGate } from "./source.ts";

describe("sourceGate", () => {
  const tool = { unsafeIn: ["chat", "mail"] };
  it("hides a tool where it is unsafe", () => {
    expect(sourceGate(tool, ["mail"])).toBe('it is not offered to requests from "mail"');
  });
  it("hides it where one of the sources around is such", () => {
    expect(sourceGate(tool, ["cli", "chat", "mail"])).toBe('it is not offered to requests from "chat"');
  });
  it.each([[[]], [["cli"]], [[""]], [["Mail"]], [["cli", "web"]]])("lets it pass from %j", (sources) => {
    expect(sourceGate(tool, sources)).toBe(undefined);
  });
});
