import { resolve } from "node:path";
import { unmarked } from "./typed-arguments.ts";
import { usageError } from "./usage-error.ts";

/** What `rondo trust` was asked to do. */
export type TrustSettings = {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** What has been looked at, so that nobody need be asked. */
  readonly sha256?: string;
  readonly revoke: boolean;
};

/** The words behind `rondo trust` and its options, as settings. */
export function trustSettingsOf(
  words: readonly string[],
  parsed: { readonly [option: string]: unknown },
): TrustSettings {
  const [folder = ".", ...more] = words;
  if (folder === "") throw usageError("rondo trust: the path is empty");
  if (more.length > 0) throw usageError(`rondo trust: one folder at a time; "${more[0]}" is too much`);
  if (Array.isArray(parsed.sha256)) throw usageError("--sha256 was given more than once; once is enough");
  const sha256 = parsed.sha256 === undefined ? undefined : unmarked(String(parsed.sha256)).trim().toLowerCase();
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/.test(sha256))
    throw usageError("--sha256: write the 64 digits that rondo trust shows");
  const revoke = parsed.revoke === true;
  if (revoke && sha256 !== undefined) throw usageError("give --sha256 or --revoke, not both");
  return { folder: resolve(folder), revoke, ...(sha256 !== undefined && { sha256 }) };
}
