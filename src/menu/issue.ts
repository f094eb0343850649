/** What is wrong with a value, and where: `""` for the value itself, else like `items[2].name`. */
export type Issue = { readonly path: string; readonly message: string };

/** What validating comes to: the value to use (which a schema may have changed), or why not. */
export type Validated =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly [Issue, ...Issue[]] };

/** No more issues than these are kept: a model mends a few at a time, and its context is not for sale. */
export const maxIssues = 20;

const plainKey = /^[A-Za-z_$][\w$-]*$/;

/** A path as people write it: `items[2].name`, `["odd key"]`. */
export function pathText(segments: readonly PropertyKey[]): string {
  let text = "";
  for (const segment of segments) {
    if (typeof segment === "number") text += `[${segment}]`;
    else if (typeof segment === "string" && !plainKey.test(segment)) text += `[${JSON.stringify(segment)}]`;
    else text += text === "" ? String(segment) : `.${String(segment)}`;
  }
  return text;
}
