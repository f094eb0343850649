import { describe, expect, it } from "vitest";
import { z } from "zod";
import { RondoError, type RondoErrorCode } from "../error.ts";
import { menuTool } from "./entry.ts";
import { type MenuRequest, resolveMenu } from "./menu.ts";
import { createRegistry } from "./registry.ts";
import { type ToolEntry, type ToolOptions, tool } from "./tool.ts";

const make = (name: string, options: ToolOptions = {}) =>
  tool({ name, ...options, input: z.object({ city: z.string() }), execute: () => name });

const read = make("read_file");
const write = make("write_file", { unsafeIn: ["mail"] });
const search = make("web_search", { unsafeIn: ["mail"] });
const registry = createRegistry([read, write]);

const presets = {};

const resolve = (entries: MenuRequest["entries"], more: Partial<MenuRequest> = {}) =>
  resolveMenu({
    entries,
    registry,
    presets,
    workspace: "/",
    sources: [],
    allow: [],
    deny: [],
    disabled: [],
    asks: [],
    deferAbove: Infinity,
    forced: [],
    ...more,
  });

function mistake(entries: unknown): { code: RondoErrorCode; message: string } {
  try {
    resolve(entries as ToolEntry[]);
  } catch (error) {
    if (RondoError.isInstance(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("no mistake was seen");
}

describe("the entries", () => {
  it('are everything registered with "full", nothing with "none" and []', () => {
    expect(resolve("full").menu.names).toEqual(["read_file", "write_file"]);
    expect(resolve("none").menu).toMatchObject({ declared: [], names: [], dropped: [] });
    expect(resolve([]).menu).toMatchObject({ declared: [], names: [], dropped: [] });
  });

  it("are tools and names, declared in their order", () => {
    const spec = { spec: { name: "x", description: "An x." }, execute: () => 1 };
    const { menu, warnings } = resolve([search, "read_file", spec, tool.named("write_file")]);
    expect(menu.names).toEqual(["web_search", "read_file", "x", "write_file"]);
    expect(menu.declared.map(({ name }) => name)).toEqual(menu.names);
    expect(menu.declared[2]).toEqual({
      name: "x",
      description: "An x.",
      parameters: { type: "object", properties: {} },
    });
    expect(menu.find("read_file")).toBe(menuTool(read));
    expect(menu.find("glob")).toBe(undefined);
    expect(menu.find("constructor")).toBe(undefined);
    expect(warnings).toEqual([]);
    expect(Object.isFrozen(menu.declared) && Object.isFrozen(menu.declared[0])).toBe(true);
  });

  it.each([
    [["raed_file"], "unknown_tool", 'tools[0]: no tool named "raed_file" is registered. Did you mean "read_file"?'],
    [[read, tool.named("nothing")], "unknown_tool", 'tools[1]: no tool named "nothing" is registered.'],
    [
      [read, "read_file"],
      "invalid_tool",
      'tools[0] and tools[1] are both named "read_file"; each name may stand for one tool.',
    ],
    [
      [read, search, make("read_file")],
      "invalid_tool",
      'tools[0] and tools[2] are both named "read_file"; each name may stand for one tool.',
    ],
    [
      [search, 5],
      "invalid_tool",
      "tools[1]: a value of type number is no tool; write tool({ name, execute }) or { spec, execute }.",
    ],
    [[tool.named(5 as never)], "invalid_tool", "tools[0]: tool.named() takes the name of a registered tool."],
    [read, "invalid_tool", "tools must be an array of tools and names, or toolset the name of a preset."],
    ["all", "invalid_tool", "tools must be an array of tools and names, or toolset the name of a preset."],
  ] as [unknown, RondoErrorCode, string][])("that are a caller mistake say so: %#", (entries, code, message) => {
    expect(mistake(entries)).toEqual({ code, message });
  });

  it("are all checked, also those that no gate lets through", () => {
    const bad = tool({ name: "bad", input: z.string() as never, execute: () => 1 });
    expect(() => resolve([bad], { deny: ["bad"] })).toThrow(/\("bad"\): The input schema cannot be used/);
  });
});

describe("the gates", () => {
  it("bind tools of the registry and those given alike, and say why", () => {
    const { menu } = resolve([search, tool.named("write_file"), "read_file", make("mine")], {
      sources: ["mail"],
      allow: [
        ["web_search", "write_file", "mine", "read_file"],
        ["read_file", "write_file", "web_search"],
      ],
      deny: ["read_file", "write_file"],
    });
    expect(menu.names).toEqual([]);
    expect(menu.declared).toEqual([]);
    expect(menu.find("mine")).toBe(undefined);
    expect(menu.dropped).toEqual([
      { name: "web_search", gate: "source", reason: 'it is not offered to requests from "mail"' },
      { name: "write_file", gate: "source", reason: 'it is not offered to requests from "mail"' },
      { name: "read_file", gate: "policy", reason: "it is denied by toolsDeny" },
      { name: "mine", gate: "policy", reason: "it is not among toolsAllow" },
    ]);
  });

  it("let nothing pass with an empty allow-list", () => {
    expect(resolve("full", { allow: [[]] }).menu.names).toEqual([]);
  });

  it("warn of names that nothing has, once each", () => {
    const { menu, warnings } = resolve([search], {
      allow: [
        ["web_search", "raed_file"],
        ["web_search", "raed_file"],
      ],
      deny: ["write_file", "zzz"],
    });
    expect(menu.names).toEqual(["web_search"]);
    expect(warnings).toEqual([
      'toolsAllow: there is no tool named "raed_file". Did you mean "read_file"?',
      'toolsDeny: there is no tool named "zzz".',
    ]);
  });
});

describe("the same menu comes again", () => {
  it("for the same array and for a new one of the same entries", () => {
    const entries = [search, "read_file"] satisfies ToolEntry[];
    const first = resolve(entries);
    expect(resolve(entries)).toBe(first);
    expect(resolve([search, "read_file"])).toBe(first);
    expect(resolve("full")).toBe(resolve("full"));
    const policy = { allow: [["read_file"]], deny: ["web_search"], source: "cli" };
    expect(resolve(entries, policy)).toBe(resolve(entries, structuredClone(policy)));
  });

  it("but not when anything differs", () => {
    const entries: ToolEntry[] = [search, "read_file"];
    const policy = { allow: [["read_file"]], deny: ["zzz"] };
    const seen = new Set([
      resolve(entries),
      resolve(entries, { sources: ["mail"] }),
      resolve(entries, { disabled: ["zzz"] }),
      resolve(entries, policy),
      resolve(entries, { ...policy, deny: [] }),
      resolve(entries, { ...policy, allow: [] }),
      resolve(entries, { ...policy, allow: [["read_file"], ["read_file"]] }),
      resolve(entries, { registry: createRegistry([read]) }),
      resolve([search]),
      resolve("full"),
      resolve("none"),
    ]);
    expect(seen.size).toBe(11);
  });

  it("but never a stale one", () => {
    const own = createRegistry([read]);
    const entries: ToolEntry[] = [search, "read_file"];
    const deny: string[] = [];
    const names = (which: MenuRequest["entries"]) => resolve(which, { registry: own, deny }).menu.names;
    expect([names(entries), names("full")]).toEqual([["web_search", "read_file"], ["read_file"]]);
    own.register(write);
    entries.push(tool.named("write_file"));
    expect([names(entries), names("full")]).toEqual([
      ["web_search", "read_file", "write_file"],
      ["read_file", "write_file"],
    ]);
    own.unregister("read_file");
    const other = make("read_file");
    own.register(other);
    expect(resolve(entries, { registry: own, deny }).menu.find("read_file")).toBe(menuTool(other));
    entries[0] = make("web_search");
    expect(resolve(entries, { registry: own, deny }).menu.find("web_search")).toBe(menuTool(entries[0] as never));
    deny.push("web_search");
    expect(names(entries)).toEqual(["read_file", "write_file"]);
    entries.length = 1;
    expect(names(entries)).toEqual([]);
  });
});
