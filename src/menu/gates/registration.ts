import { withoutSecrets } from "../../message/redact.ts";
import { thrownMessage } from "../../message/thrown-text.ts";
import type { ToolOptions } from "../tool.ts";

/** Gate 1, asked once: keeps a tool out of a registry. Undefined: it enters; else the reason. */
export function registrationGate(tool: {
  readonly availableIf: NonNullable<ToolOptions["availableIf"]>;
}): string | undefined {
  const { availableIf } = tool;
  if (typeof availableIf === "boolean") return availableIf ? undefined : "its availableIf is false";
  try {
    return availableIf() === true ? undefined : "its availableIf did not say true";
  } catch (thrown) {
    return `its availableIf threw: ${withoutSecrets(thrownMessage(thrown))}`;
  }
}
