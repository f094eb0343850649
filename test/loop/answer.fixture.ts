import { expect } from "vitest";
import type { Tool } from "../../src/core.ts";
import { answers, call, logged, picks, play, resultsOf } from "./play.fixture.ts";

/** Runs one call of this tool and gives its result message; a call behind it has to be unimpressed. */
export async function answerOf(one: Tool, args: Parameters<typeof call>[1] = {}) {
  const log: string[] = [];
  const played = await play([picks(call(one.name, args), "next"), "done"], { tools: [one, logged("next", log)] });
  expect(played.result).toMatchObject({ outcome: "stop", text: "done" });
  expect(log).toEqual(["next"]);
  const [first] = resultsOf(played.result.messages);
  if (first === undefined) throw new Error("no result");
  return { ...played, first, text: answers([first])[0] ?? "" };
}
