import { withoutSecrets } from "../message/secrets.ts";

const secretName = /(^|_)(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;
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
  return (text) => withoutSecrets(text, values);
}
