import type { WireEvent } from "./mend.ts";

/** What a provider or something in front of it says went wrong, out of an event of any shape. */
export type ProviderError = { readonly message: string; readonly type?: string; readonly code?: string | number };

/**
 * The error that an event tells, if it tells one: under `error`, as its type or name, or as a bare `message` or `detail` where a
 * reply would stand.
 */
export function providerError(event: WireEvent, name: string | undefined): ProviderError | undefined {
  const inner = event.error ?? choiceError(event);
  if (inner !== undefined && inner !== null && inner !== false && !isEmpty(inner)) {
    if (typeof inner !== "object") return said({ message: String(inner), ...codes(event) });
    return said({ ...codes(event), ...codes(inner as WireEvent), message: messageOf(inner as WireEvent) });
  }
  const isError = name === "error" || event.type === "error" || event.object === "error" || isBare(event);
  return isError ? said({ ...codes(event), message: messageOf(event) }) : undefined;
}

/** What some servers put where an error would stand. */
const isEmpty = (inner: unknown): boolean =>
  inner === "" || (typeof inner === "object" && inner !== null && Object.keys(inner).length === 0);

const said = (error: ProviderError): ProviderError => ({
  ...error,
  message: error.message || "The provider sent an error without a message.",
});

/** Some gateways put the error into the choice that it ends. */
function choiceError({ choices }: WireEvent): unknown {
  return Array.isArray(choices) ? (choices[0] as WireEvent | undefined)?.error : undefined;
}

const isBare = (event: WireEvent): boolean =>
  event.type === undefined &&
  event.choices === undefined &&
  event.candidates === undefined &&
  event.usageMetadata === undefined &&
  (typeof event.message === "string" || typeof event.detail === "string");

function messageOf({ message, detail, ...rest }: WireEvent): string {
  if (typeof message === "string" && message !== "") return message;
  if (typeof detail === "string" && detail !== "") return detail;
  return JSON.stringify(message ?? detail ?? rest);
}

/** Codes tell what kind of failure it is; `type: "error"` tells nothing. */
function codes({ type, code, status }: WireEvent): Omit<ProviderError, "message"> {
  const kind = [type, status].find((one) => typeof one === "string" && one !== "" && one !== "error");
  const known = typeof code === "number" || (typeof code === "string" && code !== "") ? code : status;
  return {
    ...(typeof kind === "string" ? { type: kind } : undefined),
    ...(typeof known === "number" || (typeof known === "string" && known !== "") ? { code: known } : undefined),
  };
}
