import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { makeHome } from "./config.fixture.ts";
import { together } from "./load-config.ts";
import { readProjectConfig } from "./project-config.ts";
import { inertOf, isTrusted, sendsElsewhere } from "./trust.ts";

const waiting = (folder: string) => {
  const project = readProjectConfig(folder)!;
  return { project, inert: inertOf(project, {}) };
};

test("rules, presets and lists of names need no trust; modules, servers and addresses do", () => {
  const { project, write } = makeHome();
  write("project/rondo.config.json", {
    model: "openai/gpt-5.6",
    toolset: "none",
    presets: { review: { tools: ["grep"] } },
    disabledTools: ["run_code"],
    approvals: { deny: ["bash"] },
  });
  expect(waiting(project).inert).toBeUndefined();
  for (const config of [{ modules: ["a.ts"] }, { mcpServers: { x: { command: "sh" } } }, { model: "http://x/v1#y" }]) {
    write("project/rondo.config.json", config);
    expect(waiting(project).inert).toBeDefined();
  }
});

test("trust holds for this very file and these very modules, in this folder", () => {
  const { at, project, write } = makeHome();
  write("project/rondo.config.json", { modules: ["a.ts"] });
  write("project/a.ts", "1");
  const { project: found, inert } = waiting(project);
  const user = { projects: { [project]: { trusted: inert!.hash } } };
  const holds = (folder = project) => {
    const now = waiting(folder);
    return isTrusted(now.project, now.inert!, user);
  };
  expect(holds()).toBe(true);
  write("project/a.ts", "2");
  expect(holds()).toBe(false);
  write("project/a.ts", "1");
  write("project/rondo.config.json", { modules: ["a.ts"], disabledTools: [] });
  expect(holds()).toBe(false);
  write("project/rondo.config.json", { modules: ["a.ts"] });
  expect(holds()).toBe(true);
  // Through a link it is the same project; the same files elsewhere are another one.
  symlinkSync(project, at("link"));
  expect(holds(at("link"))).toBe(true);
  write("other/rondo.config.json", { modules: ["a.ts"] });
  write("other/a.ts", "1");
  expect(waiting(at("other")).inert!.hash).toBe(inert!.hash);
  expect(holds(at("other"))).toBe(false);
  expect(isTrusted({ ...found, folder: "__proto__" }, inert!, user)).toBe(false);
});

test("trust is for what was asked: a model that nobody had to be asked about then is none of it", () => {
  const { project, write } = makeHome({ "project/a.ts": "1" });
  write("project/rondo.config.json", { model: "openai/gpt-5.6", modules: ["a.ts"] });
  const found = readProjectConfig(project)!;
  const trusted = { projects: { [project]: { trusted: inertOf(found, {})!.hash } } };
  expect(isTrusted(found, inertOf(found, trusted)!, trusted)).toBe(true);
  const careful = { ...trusted, model: "ollama/qwen3" };
  expect(inertOf(found, careful)!.model).toBe("openai/gpt-5.6");
  expect(isTrusted(found, inertOf(found, careful)!, careful)).toBe(false);
});

test("a module that leads out of the project is refused, also through a link", () => {
  const { at, project, write } = makeHome({ "evil.ts": "1" });
  symlinkSync(at("evil.ts"), at("project/inner.ts"));
  for (const path of ["../evil.ts", at("evil.ts"), "inner.ts", at("project/a.ts")]) {
    write("project/rondo.config.json", { modules: [path] });
    expect(() => waiting(project)).toThrow("leads out of the project's folder");
  }
});

test.each([
  ["offline", undefined, false],
  ["offline", "ollama/qwen3", false],
  ["openai/gpt-5.6", undefined, false],
  ["openai/gpt-5.6", "openai/gpt-5.6-mini", false],
  ["openai/gpt-5.6", "ollama/qwen3", true],
  ["local/small", undefined, false],
  ["local/./evil.gguf", undefined, true],
  ["local/evil.gguf", undefined, true],
  ["http://127.0.0.1:1/v1#x", undefined, true],
  ["HTTPS://evil.example/v1#x", undefined, true],
  ["openai/../../evil", undefined, true],
  ["bedrock/arn:aws:bedrock:eu-west-1:1:x", undefined, true],
  ["constructor/x", undefined, true],
  ["nobody/x", undefined, true],
  ["ollama/gpt-oss:120b-cloud", "ollama/qwen3", true],
  ["ollama/kimi-k2:cloud", undefined, true],
  ["ollama/kimi-k2:cloud", "ollama/gpt-oss:120b-cloud", false],
  ["ollama/cloudy:7b", "ollama/qwen3", false],
  ["ollama/gpt-oss:120b-cloud", undefined, true],
  ["ollama/glm-4.6:Cloud", "ollama/qwen3", true],
  ["ollama/somebody/x-cloud", "ollama/qwen3", true],
  ["ollama/gpt-oss:120b-cloud", "ollama/glm-4.6:cloud", false],
  ["ollama/qwen3", "ollama/glm-4.6:cloud", false],
  ["ollama/icloudy", "ollama/qwen3", false],
  ["http://127.0.0.1:1/v1#x", "http://127.0.0.1:1/v1#x", false],
])("whether the model %s goes elsewhere for a user of %s: %s", (model, own, elsewhere) => {
  expect(sendsElsewhere(model, own)).toBe(elsewhere);
});

test("a project only takes away", () => {
  const user = {
    model: "ollama/qwen3",
    toolset: "mine",
    presets: { mine: { tools: ["read_file"] } },
    disabledTools: ["glob"],
    approvals: { mode: "ask", deny: ["a"], ask: ["b"], allow: ["c"] },
    projects: { "/home/ann/x": { allow: ["d"] }, "/home/ann/y": { allow: ["e"] } },
  } as const;
  const config = {
    model: "http://evil.example/v1#x",
    toolset: "full",
    presets: { mine: { includes: ["full"] }, other: {} },
    disabledTools: ["grep", "glob"],
    approvals: { deny: ["f"] },
    modules: ["m.ts"],
  };
  const inert = {
    modules: [{ written: "m.ts", path: "/home/ann/x/m.ts", hash: "h" }],
    model: config.model,
    servers: [],
    hash: "h",
  };
  const project = { folder: "/home/ann/x", path: "/home/ann/x/rondo.config.json", config };
  const untrusted = together("/home/ann/x", user, project, { inert, trusted: false });
  expect(untrusted).toMatchObject({
    model: { name: "ollama/qwen3" },
    toolset: "mine",
    presets: { mine: { tools: ["read_file"] }, other: {} },
    disabledTools: ["glob", "grep"],
    approvals: { mode: "ask", deny: ["a", "f"], ask: ["b"], allow: ["c", "d"] },
    modules: [],
  });
  const trusted = together("/home/ann/x", user, project, { inert, trusted: true });
  expect(trusted).toMatchObject({ model: { name: config.model }, modules: [{ path: "/home/ann/x/m.ts" }] });
  // Trust is for what would be run; tools and rules stay the user's.
  expect([trusted.toolset, trusted.approvals]).toEqual([untrusted.toolset, untrusted.approvals]);
  expect(together("/home/ann/x/sub", user, project, { inert, trusted: false }).approvals.allow).toEqual(["c"]);
  const none = together(
    "/home/ann/x",
    user,
    { ...project, config: { toolset: "none" } },
    { inert: undefined, trusted: false },
  );
  expect(none.toolset).toBe("none");
});
