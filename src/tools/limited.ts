import { createContext, Script } from "node:vm";

const call = new Script("work()");
let sandbox: { work?: () => void } | undefined;

/**
 * Does short synchronous work that may turn out endless, such as matching a pattern that somebody else wrote; after
 * `limitMs` milliseconds it is stopped in the middle and the answer is false. Costs about half a millisecond.
 */
export function limited(work: () => void, limitMs: number): boolean {
  // What is called from a context of its own can be stopped as a whole, even inside a regular expression.
  sandbox ??= createContext({});
  sandbox.work = work;
  try {
    call.runInContext(sandbox, { timeout: limitMs });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    return false;
  } finally {
    delete sandbox.work;
  }
}
