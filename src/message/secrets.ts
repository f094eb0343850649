const bearer = /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi;
const header =
  /\b((?:proxy-)?authorization|x-api-key|api-key|x-goog-api-key|x-amz-security-token|cookie)(\\?["']?\s*[:=]\s*\\?["']?)(?!Bearer|Basic)[^\s"'\\,;}]{4,}/gi;
const query =
  /([?&](?:(?:[\w-]+[-_])?(?:(?:api|access)?(?:key|token)|secret|password|passwd|signature|credentials?)|auth|sig|pw)=)[^&#\s"'\\]+/gi;
const userInfo = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi;
/** Keys that say by their beginning whose they are; providers quote them, some with stars in the middle. */
const known =
  /\b(?:sk|pk|gsk|xai|hf|nvapi)[-_](?=[\w*-]*[\d*])[\w*-]{8,}|\bAIza[\w-]{20,}|\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\bya29\.[\w.-]{10,}/g;

/**
 * The text without keys that can be told by their looks, credentials in addresses and their queries, and what stands
 * behind the names of secret headers.
 */
export function withoutLooks(text: string): string {
  return text
    .replace(bearer, "$1 [redacted]")
    .replace(header, "$1$2[redacted]")
    .replace(userInfo, "$1[redacted]@")
    .replace(query, "$1[redacted]")
    .replace(known, "[redacted]");
}
