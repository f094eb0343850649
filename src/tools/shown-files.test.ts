import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { foresee } from "../cli/preview.ts";
import { createRuntime } from "../index.ts";
import { textOf } from "../message/message.ts";
import { scripted } from "../testing/index.ts";
import { makeWorkspace } from "./workspace.fixture.ts";

/** A run of one edit, and its person, who answers once they are told to. */
function asking(workspace: string, new_string: string) {
  const shown = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<boolean>();
  const call = { name: "edit_file", arguments: { path: "a.txt", old_string: "x", new_string } };
  const ids: string[] = [];
  const runtime = createRuntime({
    workspace,
    model: scripted([{ calls: [call] }, "done"]),
    requiresApproval: ["edit_file"],
    approve: (request) => {
      ids.push(request.call.id);
      expect(foresee(request, workspace)).toEqual({ change: expect.stringContaining(`+`) });
      shown.resolve();
      return answer.promise;
    },
  });
  const ended = runtime.run("go").result.then(({ messages }) => {
    const told = messages.find((message) => message.role === "tool");
    return { id: ids[0], told: told?.role === "tool" ? textOf(told) : "" };
  });
  return { shown: shown.promise, yes: () => answer.resolve(true), ended };
}

test("a yes is for what that run has shown, also if a call of another one has the same id", async () => {
  const { root, at } = makeWorkspace({ "a.txt": "debug = x\n" });
  const first = asking(root, "1");
  await first.shown;
  writeFileSync(at("a.txt"), "allow_everything = x\n");
  const second = asking(root, "2");
  await second.shown;
  first.yes();
  const one = await first.ended;
  expect(one.told).toContain("was changed by somebody else while the user was asked");
  expect(readFileSync(at("a.txt"), "utf8")).toBe("allow_everything = x\n");
  second.yes();
  const two = await second.ended;
  expect(two.told).toContain("Edited");
  expect(two.id).toBe(one.id);
  expect(readFileSync(at("a.txt"), "utf8")).toBe("allow_everything = 2\n");
});

test("a call whose id another run has shown is not held to that", async () => {
  const { root, at } = makeWorkspace({ "a.txt": "debug = x\n" });
  const shown = asking(root, "1");
  await shown.shown;
  writeFileSync(at("a.txt"), "x\n");
  const call = { name: "edit_file", arguments: { path: "a.txt", old_string: "x", new_string: "2" } };
  const runtime = createRuntime({ workspace: root, model: scripted([{ calls: [call] }, "done"]) });
  await runtime.exec("go");
  expect(readFileSync(at("a.txt"), "utf8")).toBe("2\n");
  shown.yes();
  expect((await shown.ended).told).toContain("while the user was asked");
});
