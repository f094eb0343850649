import { expect } from "vitest";
import { z } from "zod";
import { type Approve, tool } from "../../src/core.ts";
import { answers, call, picks, play } from "./play.fixture.ts";

/** A tool that pays and needs a person's word. */
export function paying(log: unknown[], requiresApproval: Parameters<typeof tool>[0]["requiresApproval"] = true) {
  return tool({
    name: "pay",
    input: z.object({ euros: z.number().max(100), to: z.string().optional() }),
    ...(requiresApproval === undefined ? {} : { requiresApproval }),
    execute: (args) => {
      log.push(args);
      return "paid";
    },
  });
}

/** One call of `pay` under this hook. */
export async function pay(approve: Approve | undefined, requiresApproval: Parameters<typeof paying>[1] = true) {
  const log: unknown[] = [];
  const played = await play(
    [picks(call("pay", { euros: 5 })), "done"],
    { tools: [paying(log, requiresApproval)] },
    approve === undefined ? {} : { approve },
  );
  expect(played.result).toMatchObject({ outcome: "stop", text: "done" });
  return { ...played, log, answer: answers(played.result.messages)[0] };
}
