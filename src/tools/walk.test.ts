import { execFileSync } from "node:child_process";
import { readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { shownOf } from "./entries.ts";
import { ignoredAmong, withRulesOf } from "./ignore-rules.ts";
import { prefixed, walk } from "./walk.ts";
import { makeWorkspace } from "./workspace.fixture.ts";
import { locate, openWorkspace } from "./workspace.ts";

function met(root: string, start = ".", enter: readonly string[] = []) {
  const workspace = openWorkspace(root, { allowSecrets: false });
  return [...walk(workspace, locate(workspace, start), new Set(enter))].flatMap((one) =>
    one.kind === "files"
      ? one.files.map((file) => ({ kind: "file", shown: prefixed(one.folder, shownOf(file)) }))
      : [{ kind: one.kind, shown: one.shown }],
  );
}
const files = (...args: Parameters<typeof met>) => met(...args).map((one) => one.shown);

test("files come in the order of their whole paths", () => {
  const { root } = makeWorkspace({ "a/b.ts": "", "a.ts": "", "a-b/c": "", "a/B.ts": "", b: "", "a/b/c": "" });
  const paths = files(root);
  expect(paths).toEqual(["a-b/c", "a.ts", "a/B.ts", "a/b.ts", "a/b/c", "b"]);
  expect(paths).toEqual([...paths].sort());
});

test.each<[string, { [path: string]: string }, string[]]>([
  [
    "a rule without a slash holds at any depth",
    { ".gitignore": "*.log", "a.log": "", "b/c.log": "", "b/c": "" },
    ["b/c"],
  ],
  [
    "a rule with a slash holds from its folder on",
    { ".gitignore": "/a\nb/c", a: "", "x/a": "", "b/c": "", "x/b/c": "" },
    ["x/a", "x/b/c"],
  ],
  ["a rule for folders leaves files", { ".gitignore": "a/", "a/x": "", "b/a": "" }, ["b/a"]],
  ["the last rule wins", { ".gitignore": "*.log\n!keep.log", "keep.log": "", "a.log": "" }, ["keep.log"]],
  ["what is in an ignored folder cannot be taken back", { ".gitignore": "a/\n!a/b", "a/b": "" }, []],
  [
    "nested rules hold below their folder",
    { "a/.gitignore": "x\n/y", "a/x": "", "a/b/x": "", "a/y": "", "a/b/y": "", x: "" },
    ["a/b/y", "x"],
  ],
  [
    "nested rules beat those above",
    { ".gitignore": "build", "a/.gitignore": "!build", "a/build/x": "", "b/build/x": "" },
    ["a/build/x"],
  ],
  [
    "a folder may have a name like a pattern",
    { "a[1] #/.gitignore": "*.log\n!b.log", "a[1] #/a.log": "", "a[1] #/b.log": "", "a1 #/a.log": "" },
    ["a1 #/a.log", "a[1] #/b.log"],
  ],
  [
    "comments, blanks, CRLF and a byte order mark are no rules",
    { "c/.gitignore": "\uFEFFx\r\n\r\n# y\r\n\\#z\r\n", "c/x": "", "c/y": "", "c/# y": "", "c/#z": "" },
    ["c/# y", "c/y"],
  ],
])("%s", (_, tree, expected) => {
  const { root } = makeWorkspace(tree);
  expect(files(root).filter((path) => !path.endsWith(".gitignore"))).toEqual(expected);
});

test("rules from above hold when the walk begins below them", () => {
  const { root } = makeWorkspace({
    ".gitignore": "*.log\n/a/b/c",
    "a/.gitignore": "x",
    "a/b/x": "",
    "a/b/y": "",
    "a/b/z.log": "",
    "a/b/c": "",
  });
  expect(files(root, "a/b")).toEqual(["a/b/y"]);
});

test("an ignored folder that is named is walked, as is one with a name to enter", () => {
  const tree = {
    ".gitignore": "dist\nnode_modules\n*.map",
    "dist/a.js": "",
    "dist/a.map": "",
    "x/node_modules/p/i.js": "",
    "node_modules/p/i.js": "",
    ".git/HEAD": "",
  };
  const { root } = makeWorkspace(tree);
  expect(files(root)).toEqual([".gitignore"]);
  expect(files(root, "dist")).toEqual(["dist/a.js", "dist/a.map"]);
  expect(files(root, "node_modules/p")).toEqual(["node_modules/p/i.js"]);
  expect(files(root, "x", ["node_modules"])).toEqual(["x/node_modules/p/i.js"]);
  expect(files(root, ".", [".git"])).toEqual([".git/HEAD", ".gitignore"]);
});

test("links to files inside are met, others and folders are not, and nothing goes in circles", () => {
  const { root, outside, at } = makeWorkspace({ "a/x": "", ".env": "" });
  symlinkSync("x", at("a/link"));
  symlinkSync(".", at("a/self"));
  symlinkSync("..", at("a/up"));
  symlinkSync(outside, at("out"));
  symlinkSync(`${outside}/private.txt`, at("private"));
  symlinkSync("nowhere", at("dangling"));
  symlinkSync(".env", at("notes"));
  expect(met(root).map(({ kind, shown }) => `${kind} ${shown}`)).toEqual([
    "secret .env",
    "link a/link",
    "file a/x",
    "secret notes",
  ]);
});

test("a folder that was swapped for a link behind the walk is not read", () => {
  const { root, outside, at } = makeWorkspace({ a: "", "b/private.txt": "", "c/d": "" });
  const workspace = openWorkspace(root);
  const walked = walk(workspace, locate(workspace, "."), new Set());
  expect(walked.next().value).toMatchObject({ kind: "files" });
  renameSync(at("b"), at("moved"));
  symlinkSync(outside, at("b"));
  expect(walked.next().value).toMatchObject({ kind: "unreadable", path: "b" });
  expect(walked.next().value).toMatchObject({ kind: "files", files: [{ name: "d" }] });
  walked.return(undefined);
});

test("a walk goes as deep as folders do, and has few of them open", () => {
  const { root, at } = makeWorkspace({
    [`${"d/".repeat(300)}f`]: "",
    [`${"d/".repeat(200)}e`]: "",
    "e/f": "",
  });
  const open = () => (process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0);
  const before = open();
  const workspace = openWorkspace(root);
  const most: number[] = [];
  const found: string[] = [];
  for (const one of walk(workspace, locate(workspace, "."), new Set())) {
    most.push(open() - before);
    if (one.kind === "files") found.push(one.folder.place.real);
  }
  expect(found).toEqual([at("d/".repeat(300).slice(0, -1)), at("d/".repeat(200).slice(0, -1)), at("e")]);
  expect(Math.max(...most)).toBeLessThan(100);
  expect(open()).toBe(before);
});

test("a .gitignore that is a link is not followed", () => {
  const { root, outside, at } = makeWorkspace({ a: "" });
  writeFileSync(`${outside}/rules`, "a");
  symlinkSync(`${outside}/rules`, at(".gitignore"));
  expect(files(root)).toEqual(["a"]);
});

test("pipes are passed over; names with line breaks or bytes that are no text are one visible line", () => {
  const { root, at } = makeWorkspace({ "a\nb/c": "" });
  execFileSync("mkfifo", [at("pipe")]);
  writeFileSync(Buffer.concat([Buffer.from(at("caf")), Buffer.from([0xe9])]), "");
  expect(files(root)).toEqual(["a\\nb/c", "caf\\xe9"]);
});

test("rules that would match forever are stopped with an error", () => {
  const { root } = makeWorkspace({ ".gitignore": `${"**/a/".repeat(12)}b` });
  const workspace = openWorkspace(root, { allowSecrets: false });
  const rules = withRulesOf(workspace, undefined, locate(workspace, "."));
  expect(() => ignoredAmong(rules, [`${"a/".repeat(100)}c`], 100)).toThrow("take too long to match");
});

test.runIf(process.platform === "linux")("and leave nothing open", () => {
  const { root } = makeWorkspace({ "a/.gitignore": `${"**/a/".repeat(12)}b`, [`a/${"a/".repeat(40)}b/c/d`]: "" });
  const workspace = openWorkspace(root, { allowSecrets: false });
  const open = () => readdirSync("/proc/self/fd").length;
  const before = open();
  expect(() => [...walk(workspace, locate(workspace, "."), new Set())]).toThrow("take too long to match");
  expect(open()).toBe(before);
});

test("rules with many stars work as others do", () => {
  const { root } = makeWorkspace({ ".gitignore": "*a*b*c*d*", xaxbxcxdx: "", abcd: "", dcba: "" });
  expect(files(root)).toEqual([".gitignore", "dcba"]);
});
