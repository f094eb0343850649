const secretName = /(^|_)(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;
const bearer = /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi;
const header =
  /\b((?:proxy-)?authorization|x-api-key|api-key|x-goog-api-key|cookie)(\\?["']?\s*[:=]\s*\\?["']?)(?!Bearer|Basic)[^\s"'\\,;}]{4,}/gi;
const query =
  /([?&](?:(?:[\w-]+[-_])?(?:(?:api|access)?(?:key|token)|secret|password|passwd|signature|credentials?)|auth|sig|pw)=)[^&#\s"'\\]+/gi;
const userInfo = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi;

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/**
 * Makes a function that blanks out the secrets of this environment (values of variables named like a key, token, secret
 * or password), credentials in addresses and their queries, and what stands behind the names of secret headers. For everything that the
 * command shows of errors and of its way; no net for secrets that a model spells out itself.
 */
export function redactor(env: { readonly [name: string]: string | undefined }): Redact {
  const values = Object.entries(env)
    .filter(([name, value]) => secretName.test(name) && value !== undefined && /^[^\s/~.]\S{7,}$/.test(value))
    .map(([, value]) => value ?? "")
    .sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const value of values) clean = clean.replaceAll(value, "[redacted]");
    return clean
      .replace(bearer, "$1 [redacted]")
      .replace(header, "$1$2[redacted]")
      .replace(userInfo, "$1[redacted]@")
      .replace(query, "$1[redacted]");
  };
}
