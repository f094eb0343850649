import type { ProviderData } from "../message/message.ts";

/**
 * Whether data holds a signature that counts by itself: Gemini puts one behind its prose into a text that is empty, and wants
 * it back there.
 */
export const isSigned = (data: ProviderData | undefined): boolean =>
  data !== undefined && Object.values(data).some(hasSignature);

const hasSignature = (fields: unknown): boolean =>
  typeof fields === "object" &&
  fields !== null &&
  typeof (fields as { readonly thoughtSignature?: unknown }).thoughtSignature === "string";
