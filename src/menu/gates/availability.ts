import { withoutSecrets } from "../../message/redact.ts";
import { thrownMessage } from "../../message/thrown-text.ts";
import type { AvailabilityQuestion } from "../tool.ts";

/** What a tool's being offered depends on. The functions are whatever their authors gave, so their answers may be anything. */
export type Conditions = {
  readonly check?: () => unknown;
  readonly requiresEnv: readonly string[];
  readonly canUse?: (asked: AvailabilityQuestion) => unknown;
};

/**
 * Gate 4: leaves out what cannot work at present. Undefined: passes; else the reason. Asked in this order: `check`, the
 * environment, `canUse`; what throws says no, and so does a promise, for a menu does not wait.
 */
export function availabilityGate(
  tool: { readonly conditions: Conditions | undefined },
  asked: AvailabilityQuestion,
  env: { readonly [name: string]: string | undefined } = process.env,
): string | undefined {
  const { conditions } = tool;
  if (!conditions) return undefined;
  const { check, requiresEnv, canUse } = conditions;
  const unset = requiresEnv.find((name) => !Object.hasOwn(env, name) || !env[name]);
  return (
    (check && refusal("check", check)) ??
    (unset !== undefined ? `the environment variable ${unset} is not set` : undefined) ??
    (canUse && refusal("canUse", () => canUse(asked)))
  );
}

function refusal(name: string, ask: () => unknown): string | undefined {
  try {
    const said = ask();
    if (said === true) return undefined;
    if (!isThenable(said)) return `its ${name} did not say true`;
    // Nobody waits for it, so nobody else would hear that it was rejected.
    said.then(undefined, () => undefined);
    return `its ${name} gave a promise; it has to answer at once`;
  } catch (thrown) {
    return `its ${name} threw: ${withoutSecrets(thrownMessage(thrown))}`;
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
