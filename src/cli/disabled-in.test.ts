import { expect, it } from "vitest";
import { createRuntime, tool } from "../core.ts";
import { scripted } from "../testing/index.ts";
import { disabledIn } from "./disabled-in.ts";

it("says whose list a tool is in, the user's first; other denials stay as they are", () => {
  const tools = ["mine", "both", "theirs", "agents", "denied"].map((name) => tool({ name, execute: () => 1 }));
  const [user, its, agents] = [["mine", "both"], ["both", "Theirs"], ["AGENTS"]];
  const runtime = createRuntime({ model: scripted([]), tools, toolsDisabled: [...user, ...its, ...agents] });
  const project = {
    folder: "/p",
    path: "/p/rondo.config.json",
    hash: "",
    bytes: Buffer.alloc(0),
    config: { disabledTools: its },
  };
  const say = disabledIn({ user: { disabledTools: user }, project }, agents);
  const told = runtime.explainTools({ toolsDeny: ["denied"] }).map(say);
  expect(told.map((one) => "reason" in one && one.reason)).toEqual([
    "the user has disabled it",
    "the user has disabled it",
    "/p/rondo.config.json has disabled it",
    "the agent's toolsDisabled names it",
    "it is denied by toolsDeny",
  ]);
});
