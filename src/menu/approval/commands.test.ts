import { expect, test } from "vitest";
import { commandPattern, fitsCommand, mayFitCommand } from "./commands.ts";

const denies = (command: string, pattern = "rm *") => mayFitCommand(commandPattern(pattern), command);

test.each([
  'bash -c "$X"',
  "sh -c \"$(printf 'r\\155 y')\"",
  'X="rm y" /bin/dash -ec "$X"',
  'env -i zsh -lc "$X y"',
  'su - root -c "$X"',
  'ssh host "$X" y',
  'trap "$X y" EXIT',
  'watch -n 1 "$X"',
  "flock /tmp/lock $X y",
  "parallel $X ::: y",
  'script -qc "$X" /dev/null',
  "sudo chroot / $X y",
  "ionice -c3 $X y",
  "strace -f $X y",
  "coproc $X y",
  "find . -exec $X {} +",
  "find . -name '*.ts' -execdir r? {} ;",
])("what only the shell knows is what is denied: %s", (command) => {
  expect(denies(command)).toBe(true);
});

test.each([
  "bash run.sh $HOME",
  "find . -name *.ts",
  "find $DIR -exec grep x {} +",
  "echo bash -c $X",
  "ssh host uptime",
  "watch ls",
  "git commit -c $X",
])("and what is plain is not: %s", (command) => {
  expect(denies(command)).toBe(false);
});

test("what lets commands run takes them as they are, with a star only simple ones", () => {
  const allows = (pattern: string, command: string) => fitsCommand(commandPattern(pattern), command);
  for (const sign of [";", "&", "|", "`", "$X", "(", ")", "<", ">", "{", "}", "\n", "\r"])
    expect(allows("npm test *", `npm test a${sign}b`), sign).toBe(false);
  expect(allows("npm test; rm y", "npm test; rm y")).toBe(true);
  expect(allows("npm test", " npm test")).toBe(false);
  expect(allows("npm test", "NPM test")).toBe(false);
});
