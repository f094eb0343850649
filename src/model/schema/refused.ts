/** Why a schema cannot be shown: the keyword at fault and where it stands, as a JSON pointer such as `#/properties/a`. */
export type Refusal = { readonly keyword: string; readonly path: string; readonly reason: string };

/** Carries a refusal out of the depth of a schema. */
export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(keyword: string, path: Path | undefined, reason: string) {
    super(reason);
    this.refusal = { keyword, path: pathText(path), reason };
  }
}

/** Where a schema stands, from the inside out, so that nobody builds texts that are not told. */
export type Path = { readonly key: string | number; readonly parent: Path | undefined };

export const inPath = (parent: Path | undefined, ...keys: readonly (string | number)[]): Path | undefined =>
  keys.reduce<Path | undefined>((path, key) => ({ key, parent: path }), parent);

function pathText(path: Path | undefined): string {
  const parts: string[] = [];
  for (let at = path; at !== undefined; at = at.parent) {
    parts.unshift(String(at.key).replaceAll("~", "~0").replaceAll("/", "~1"));
  }
  return ["#", ...parts].join("/");
}
