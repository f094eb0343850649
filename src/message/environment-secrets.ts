/** A variable of the environment that holds a secret. */
export type Secret = { readonly name: string; readonly value: string };

const secretName = /(?:^|_)(?:KEY|TOKEN|SECRET|CREDENTIALS?|PASS|PAT)$|(?:PASSWORD|PASSWD|PASSPHRASE|APIKEY)$/i;

/** Short values and paths would be found where they are no secret; text with blanks is one only if it is long (a PEM block). */
const isValue = (value: string): boolean =>
  value.length >= 8 && !/^[/~.][^+=]*$/.test(value) && (value.length >= 32 || !/\s/.test(value));

/**
 * The lines of a value that has several (a PEM block), each of which is worth as much: a JSON file writes the breaks between
 * them in another way, and who searches by lines finds one alone. Breaks may be written as `\\n` in the variable too.
 */
const linesOf = (value: string): readonly string[] => {
  const lines = value.split(/(?:\\r)?\\n|\r?\n/);
  if (lines.length < 2) return [];
  let inBlock = false;
  return lines.filter((line) => {
    if (line.includes("-----")) inBlock = line.includes("-----BEGIN ");
    // The last line of a block holds a few bytes of the key: as short as a value of one line may be.
    return line.length >= (inBlock ? 8 : 32) && !/\s|-----/.test(line);
  });
};

/** The secrets of an environment: of variables named like a key, token or password, longest value first. */
export function secretsOf(env: { readonly [name: string]: string | undefined }): readonly Secret[] {
  const secrets: Secret[] = [];
  for (const name of Object.keys(env)) {
    if (!secretName.test(name)) continue;
    const value = env[name]?.trim() ?? "";
    if (isValue(value)) secrets.push({ name, value }, ...linesOf(value).map((line) => ({ name, value: line })));
  }
  return secrets.sort((a, b) => b.value.length - a.value.length);
}

const rememberedMs = 1_000;
let known: readonly Secret[] | undefined;
let until = 0;

/** The secrets of this process. Looked for once a second at most: to list the environment costs as much as a round. */
export function ownSecrets(): readonly Secret[] {
  const now = performance.now();
  if (known === undefined || now >= until) {
    known = secretsOf(process.env);
    until = now + rememberedMs;
  }
  return known;
}

/** Whoever begins something new sees the environment as it is then. */
export function lookAgain(): void {
  known = undefined;
}
