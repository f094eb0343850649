import { describe, expect, it } from "vitest";
import { menuTool } from "./entry.ts";
import { createRegistry } from "./registry.ts";
import { tool } from "./tool.ts";

const make = (name: string) => tool({ name, execute: () => name });

describe("a registry", () => {
  it("holds tools by name, in the order of registration", () => {
    const [a, b] = [make("b"), make("a")];
    const registry = createRegistry([a, b]);
    expect(registry.names()).toEqual(["b", "a"]);
    expect(registry.all()).toEqual([menuTool(a), menuTool(b)]);
    expect(registry.get("a")).toBe(menuTool(b));
    expect(registry.get("c")).toBe(undefined);
  });

  it("changes its version and its lists with each change, and only then", () => {
    const registry = createRegistry([make("a")]);
    const { version } = registry;
    const [names, all] = [registry.names(), registry.all()];
    expect(registry.names()).toBe(names);
    expect(registry.all()).toBe(all);
    expect(registry.unregister("b")).toBe(false);
    expect(registry.version).toBe(version);
    registry.register(make("b"));
    expect(registry.version).not.toBe(version);
    expect(registry.names()).toEqual(["a", "b"]);
    expect(registry.unregister("a")).toBe(true);
    expect(registry.all().map(({ name }) => name)).toEqual(["b"]);
    expect(names).toEqual(["a"]);
  });

  it("refuses a second tool of a name, and stays as it was", () => {
    const registry = createRegistry([make("a")]);
    const { version } = registry;
    expect(() => registry.register(make("a"), "tools[4]")).toThrow(
      /^tools\[4\]: a tool named "a" is registered already/,
    );
    expect(registry.version).toBe(version);
    expect(() => createRegistry([make("a"), make("a")])).toThrow(/^tools\[1\]: a tool named "a"/);
    registry.unregister("a");
    registry.register(make("a"));
    expect(registry.names()).toEqual(["a"]);
  });

  it("refuses what is no tool, and a schema that cannot be used", () => {
    expect(() => createRegistry([make("a"), 5 as never])).toThrow(/^tools\[1\]: a value of type number is no tool/);
    const bad = tool({ name: "a", input: { type: "string" }, execute: () => 1 });
    expect(() => createRegistry([bad])).toThrow(/^tools\[0\] \("a"\): The input schema cannot be used/);
  });

  it("has no tools that nobody registered", () => {
    const registry = createRegistry([make("__proto__"), make("constructor")]);
    expect(registry.names()).toEqual(["__proto__", "constructor"]);
    expect(registry.get("__proto__")?.name).toBe("__proto__");
    expect(registry.get("toString")).toBe(undefined);
  });
});
