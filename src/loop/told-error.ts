import { RondoError } from "../error.ts";
import { withoutSecrets } from "../message/redact.ts";
import { thrownMessage } from "../message/thrown-text.ts";

/** An error as the last event of a run tells it. It may be whatever somebody threw, so it is read with care. */
export function toldError(error: Error): { readonly code: string; readonly message: string } {
  return { code: codeOf(error), message: withoutSecrets(thrownMessage(error)) };
}

function codeOf(error: Error): string {
  try {
    return RondoError.isInstance(error) ? `${error.code}` : "error";
  } catch {
    return "error";
  }
}
