import type { Standing } from "./described.ts";
import { resultLines } from "./found.ts";
import type { Done } from "./history.ts";
import type { Reading } from "./reading.ts";
import { escaped } from "./take.ts";

const definers =
  "function|class|const|let|var|type|interface|enum|def|fn|func|fun|struct|trait|impl|module|namespace|package|macro|record|object|protocol|abstract";
const comment = /^\s*(?:\/\/|\/?\*|#(?!include)|--|<!--)/u;
const imports = /^\s*(?:import|from|use|using|#include|require|@import)\b|\brequire\s*\(/u;
const tests = /(?:^|\/)(?:tests?|__tests__|spec)\/|[._-](?:test|spec|test-d)\.\w+$|(?:^|\/)test_\w+\.\w+$/u;
const place = /^(\S[^:]*?[./][^:]*?):\d+:(.*)$/u;
const longestLine = 1000;
const mostLines = 500;

/** Of the files with matching lines those that fit best what was described: the one that defines the name, that imports it … */
export function describedFiles({ described, text }: Reading, done: Done): readonly string[] {
  if (!described) return [];
  const { pattern } = done.arguments;
  const name = typeof pattern === "string" && /^[\w$]+$/u.test(pattern) ? pattern : undefined;
  const wantsTest = /\btests?\b/iu.test(text);
  const grades = new Map<string, number>();
  for (const line of resultLines(done.result).slice(0, mostLines)) {
    const [, path, said = ""] = (line.length <= longestLine && place.exec(line)) || [];
    if (path === undefined) continue;
    const doubt = (tests.test(path) && !wantsTest ? 0.6 : 0) + (comment.test(said) ? 0.5 : 0);
    const grade = gradeOf(described.standing, name, said) - doubt;
    grades.set(path, Math.max(grade, grades.get(path) ?? grade));
  }
  const most = Math.max(...grades.values());
  return [...grades].flatMap(([path, grade]) => (grade === most ? [path] : []));
}

function gradeOf(standing: Standing, name: string | undefined, line: string): number {
  if (standing === "imported") return imports.test(line) ? 2 : 0;
  if (standing === "somewhere" || name === undefined) return 1;
  const word = `(?<![\\w$])${escaped(name)}(?![\\w$])`;
  const defined = new RegExp(`\\b(?:${definers})\\s*\\*?\\s+${word}`, "u").test(line);
  if (standing === "used") return defined ? 0 : 1;
  if (defined) return 2;
  return new RegExp(`^\\s*["']?${word}["']?\\s*(?::|=(?!=)|\\()`, "u").test(line) ? 1.3 : 0;
}
