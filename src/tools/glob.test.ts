import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import picomatch from "picomatch";
import { expect, onTestFinished, test } from "vitest";
import { glob } from "./glob.body.ts";
import { globFilter, nameFilter, splitPattern } from "./glob-filter.ts";
import { grep } from "./grep.body.ts";
import { contextOf, makeWorkspace, messageOf } from "./workspace.fixture.ts";

const tree = {
  ".gitignore": "dist/\n*.log",
  ".github/workflows/ci.yml": "",
  "src/index.ts": "",
  "src/lib/a.ts": "",
  "src/lib/a.test.ts": "",
  "src/app/[id]/page.tsx": "",
  "dist/index.js": "",
  "debug.log": "",
  ".env": "",
  ".env.example": "",
  "node_modules/p/index.js": "",
  "packages/a/node_modules/p/index.js": "",
  ".git/HEAD": "",
  "readme.md": "",
};

test.each<[string, string | undefined, string[]]>([
  ["**/*.ts", undefined, ["src/index.ts", "src/lib/a.test.ts", "src/lib/a.ts"]],
  ["src/*.ts", undefined, ["src/index.ts"]],
  ["./src/*.ts", undefined, ["src/index.ts"]],
  ["*.ts", "src", ["src/index.ts"]],
  ["lib/**", "src/", ["src/lib/a.test.ts", "src/lib/a.ts"]],
  ["{src,dist}/*.{ts,js}", undefined, ["dist/index.js", "src/index.ts"]],
  ["**/*.yml", undefined, [".github/workflows/ci.yml"]],
  ["src/app/[id]/page.tsx", undefined, ["src/app/[id]/page.tsx"]],
  ["src/index.ts", undefined, ["src/index.ts"]],
  ["**/*.js", undefined, []],
  ["dist/**", undefined, ["dist/index.js"]],
  ["**", "dist", ["dist/index.js"]],
  ["node_modules/**/*.js", undefined, ["node_modules/p/index.js"]],
  ["packages/*/node_modules/**", undefined, ["packages/a/node_modules/p/index.js"]],
  [".git/*", undefined, [".git/HEAD"]],
  [".env*", undefined, [".env.example"]],
  ["**/*.log", undefined, []],
  ["../*.md", "src", ["readme.md"]],
])("%s in %s", async (pattern, path, expected) => {
  const { root } = makeWorkspace(tree);
  const text = await glob({ pattern, ...(path === undefined ? {} : { path }) }, contextOf(root));
  expect(text.startsWith("[") ? [] : text.split("\n")).toEqual(expected);
});

test.skipIf(process.platform === "win32").each(["**", "**/*", "**/*.md", "{a\n,b}*/**"])(
  "%j fits names with a line break",
  async (pattern) => {
    const { root } = makeWorkspace({ "a\nb/c\nd.md": "x" });
    expect(await glob({ pattern }, contextOf(root))).toBe("a\\nb/c\\nd.md");
    expect(await grep({ pattern: "x", glob: pattern }, contextOf(root))).toContain("c\\nd.md:1:x");
  },
);

test("an absolute pattern inside works", async () => {
  const { root } = makeWorkspace(tree);
  expect(await glob({ pattern: `${root}/src/*.ts` }, contextOf(root))).toBe("src/index.ts");
});

test("links to files inside are found, those to the outside are not", async () => {
  const { root, outside, at } = makeWorkspace({ "a.md": "" });
  symlinkSync("a.md", at("b.md"));
  symlinkSync(`${outside}/private.txt`, at("c.md"));
  symlinkSync(outside, at("d"));
  expect(await glob({ pattern: "**" }, contextOf(root))).toBe("a.md\nb.md");
});

test("no result says so, and what would go deeper", async () => {
  const { root } = makeWorkspace(tree);
  expect(await glob({ pattern: "*.ts" }, contextOf(root))).toBe(
    '[No file in the workspace fits "*.ts". Ignored and secret files were left out. "*" does not go into folders, "**/*.ts" does.]',
  );
  expect(await glob({ pattern: "nosuch/**/*.ts", path: "src" }, contextOf(root))).toBe(
    '[No file in "src" fits "nosuch/**/*.ts". Ignored and secret files were left out.]',
  );
});

test("more than 1,000 paths are cut with a note", async () => {
  const many = Object.fromEntries(Array.from({ length: 1_010 }, (_, n) => [`f${String(n).padStart(4, "0")}`, ""]));
  const { root } = makeWorkspace(many);
  const lines = (await glob({ pattern: "*" }, contextOf(root))).split("\n");
  expect(lines.slice(-3)).toEqual([
    "f0999",
    "",
    "[The first 1000 paths; there are more. Use a narrower pattern or a path.]",
  ]);
});

test("what is outside, missing or no folder is an error", async () => {
  const { root, outside } = makeWorkspace(tree);
  const message = (pattern: string, path = ".") => messageOf(() => glob({ pattern, path }, contextOf(root)));
  expect(await message("../*")).toContain('".." is outside of the workspace');
  expect(await message("../../*", "src")).toContain('"src/../.." is outside of the workspace');
  expect(await message(`${outside}/*`)).toContain("outside of the workspace");
  expect(await message("/*")).toContain("outside of the workspace");
  expect(await message("*", "scr")).toContain('Did you mean "src"?');
  expect(await message("*", "readme.md")).toContain("is a file");
  expect(await message("")).toContain("empty");
  expect(await message("a\0")).toContain("NUL");
  expect(await message("*".repeat(2_000))).toContain("1,000 characters");
});

test("a pattern that would match forever is stopped with an error", async () => {
  const { root } = makeWorkspace({ [`${"a".repeat(200)}b`]: "" });
  const message = await messageOf(() => glob({ pattern: `${"*a".repeat(12)}*[c]` }, contextOf(root), 100));
  expect(message).toContain("takes too long to match");
});

test("an aborted call stops", async () => {
  const { root } = makeWorkspace(tree);
  expect(await messageOf(() => glob({ pattern: "**" }, contextOf(root, AbortSignal.abort(new Error("enough")))))).toBe(
    "enough",
  );
});

test("without a slash a filter may be about names at any depth", () => {
  const paths = ["a.ts", "b/a.ts", "b/a.js"];
  expect(globFilter("*.ts", { anyDepth: true })(paths)).toEqual([true, true, false]);
  expect(globFilter("*.ts", { anyDepth: false })(paths)).toEqual([true, false, false]);
  expect(globFilter("b/*.ts", { anyDepth: true })(paths)).toEqual([false, true, false]);
});

test.each([
  ["src/lib/*.ts", "src/lib", "*.ts"],
  ["src/a.ts", "src", "a.ts"],
  ["a.ts", "", "a.ts"],
  ["src/", "src", "**"],
  ["src/{a,b}/c/*.ts", "src", "{a,b}/c/*.ts"],
  ["/abs/x/*", "/abs/x", "*"],
  ["/*", "/", "*"],
  ["../x/*", "../x", "*"],
])("%s is the folder %j and the pattern %s", (pattern, folder, rest) => {
  expect(splitPattern(pattern)).toEqual({ folder, rest });
});

test.each([
  ["{a,b", "{", "}"],
  ["*.{ts,js", "{", "}"],
  ["**/[ab", "[", "]"],
  ["src/+(a|b", "(", ")"],
])("%s has a bracket without its partner, which is told", async (pattern, there, missing) => {
  const { root } = makeWorkspace(tree);
  expect(await messageOf(() => glob({ pattern }, contextOf(root)))).toContain(`a "${there}" without a "${missing}"`);
  expect(await messageOf(() => grep({ pattern: "x", glob: pattern }, contextOf(root)))).toContain(
    `The glob pattern "${pattern}" has a "${there}" without a "${missing}"`,
  );
});

test("a bracket that is part of a name is found behind a backslash", async () => {
  const { root } = makeWorkspace({ "a{b.ts": "", "c(d.ts": "" });
  expect(await glob({ pattern: "a\\{b.ts" }, contextOf(root))).toBe("a{b.ts");
  expect(await glob({ pattern: "c\\(*" }, contextOf(root))).toBe("c(d.ts");
});

test.runIf(process.platform === "linux")("folders that cannot be read are named", async (context) => {
  const { root, at } = makeWorkspace({ "a.md": "", "closed/in/b.md": "", "open/c.md": "" });
  chmodSync(join(root, ".."), 0o755);
  chmodSync(at("closed"), 0o000);
  const was = process.geteuid?.();
  if (was === 0) process.seteuid?.(65_534);
  onTestFinished(() => {
    if (was === 0) process.seteuid?.(0);
    chmodSync(at("closed"), 0o755);
  });
  if (process.geteuid?.() === 0) return context.skip("the test runs as root");
  const closed = 'Folders that could not be read: "closed" (permission denied).';
  expect(await glob({ pattern: "**/*.md" }, contextOf(root))).toBe(`a.md\nopen/c.md\n\n[${closed}]`);
  expect(await glob({ pattern: "**/*.ts" }, contextOf(root))).toContain(` ${closed}]`);
  const message = '"closed" cannot be read: permission denied.';
  expect(await messageOf(() => glob({ pattern: "*", path: "closed" }, contextOf(root)))).toBe(message);
  expect(await messageOf(() => glob({ pattern: "closed/*" }, contextOf(root)))).toBe(message);
  expect(await messageOf(() => grep({ pattern: "x", path: "closed" }, contextOf(root)))).toBe(message);
});

test.each<[string, string, boolean]>([
  ["**/*.ts", "a.ts", true],
  ["**/*.ts", "a.js", false],
  ["src/{a,b}/*.{ts,js}", "a.md", false],
  ["src/**", "a", true],
  ["{a,b/c}", "a", true],
  ["*/[ab]?", "c1", false],
])("a path that fits %s may end with %s: %s", (pattern, name, may) => {
  expect(nameFilter(pattern)(name)).toBe(may);
});

test("a path is matched as picomatch does, and its name may be one that fits", () => {
  const part = fc.constantFrom(
    "a",
    "b",
    ".ts",
    "{.ts,a}",
    "{a}",
    "{a..c}",
    "{b,}",
    "*",
    "**",
    "?",
    "/",
    ".",
    "{a,b}",
    "[ab]",
    "!(a)",
    "+(b)",
    "a/",
    ".a",
  );
  const name = fc.array(fc.constantFrom("a", "b", ".", ".ts", "/a", "/b", "ab"), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), name, fc.boolean(), (parts, names, anyDepth) => {
      const [pattern, path] = [parts.join(""), names.join("").replace(/^\//, "")];
      const basename = anyDepth && !pattern.includes("/");
      const expected = picomatch(pattern.replace(/^(?:\.\/)+/, "") || ".", { dot: true, basename, windows: false });
      fc.pre(pattern.replace(/^(?:\.\/)+/, "") !== "");
      const [fits] = globFilter(pattern, { anyDepth })([path]);
      expect(fits).toBe(expected(path));
      if (fits && !basename) expect(nameFilter(pattern)(path.slice(path.lastIndexOf("/") + 1))).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});
