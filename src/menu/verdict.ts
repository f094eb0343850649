/**
 * What preparing a call came to, as it is recorded with the reply: plain data, all that the loop's decisions read of a
 * call. Validated values are not recorded.
 */
export type Verdict = {
  /** Why the call cannot run (unknown tool, invalid arguments, denied), as the model will read it. */
  readonly problem?: string;
  readonly readOnly: boolean;
  readonly repeatable: boolean;
  /** A person has to agree first. */
  readonly approval: boolean;
  /** The call is one that the request's forced choice asked for. */
  readonly satisfies: boolean;
};
