/**
 * The bytes of base64 text, and the text in its plain form: with padding, in the standard alphabet, without line breaks;
 * the very same string where it is that already. Undefined for what is no base64.
 */
export function readBase64(text: string): { readonly bytes: Buffer; readonly base64: string } | undefined {
  const compact = /\s/.test(text) ? text.replace(/\s+/g, "") : text;
  const body = compact.replace(/={1,2}$/, "");
  // A search for what does not belong: one pass over any length.
  if (/[^A-Za-z0-9+/_-]/.test(body) || body.length % 4 === 1) return undefined;
  const bytes = Buffer.from(body, "base64");
  const base64 = bytes.toString("base64");
  return { bytes, base64: base64 === text ? text : base64 };
}
