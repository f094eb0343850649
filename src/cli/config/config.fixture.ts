import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A checkout and a home of its own for one test; what is given as an object is written as JSON. */
export function makeHome(files: { readonly [path: string]: unknown } = {}) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "rondo-config-")));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const at = (path: string) => join(top, path);
  const write = (path: string, content: unknown) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), typeof content === "string" ? content : JSON.stringify(content));
    return at(path);
  };
  mkdirSync(at("project/.git"), { recursive: true });
  for (const [path, content] of Object.entries(files)) write(path, content);
  return {
    at,
    write,
    project: at("project"),
    userFile: at("xdg/rondo/config.json"),
    env: { XDG_CONFIG_HOME: at("xdg") },
  };
}
