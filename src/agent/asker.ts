import type { ApprovalRequest } from "./options.ts";
import type { RunScope } from "./scope.ts";

const askers = new WeakMap<ApprovalRequest, RunScope>();

/** Keeps in mind for which run this is asked. */
export function askedBy(run: RunScope, request: ApprovalRequest): ApprovalRequest {
  askers.set(request, run);
  return request;
}

/** The run that a request for approval is from; undefined for a copy of one. */
export const askerOf = (request: ApprovalRequest): RunScope | undefined => askers.get(request);
