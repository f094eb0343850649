import type { ApprovalRequest } from "./options.ts";
import type { RunScope } from "./scope.ts";

/** The run that asks, and the path of the call that it asks about. */
export type Asker = { readonly run: RunScope; readonly call: string };

const askers = new WeakMap<ApprovalRequest, Asker>();

/** Keeps in mind for which call this is asked. */
export function askedBy(asker: Asker, request: ApprovalRequest): ApprovalRequest {
  askers.set(request, asker);
  return request;
}

/** The call that a request for approval is about; undefined for a copy of one. */
export const askerOf = (request: ApprovalRequest): Asker | undefined => askers.get(request);
