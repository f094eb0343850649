import { describe, expect, test } from "vitest";
import { createRuntime, type ExecOptions, method, option } from "../../src/core.ts";
import { scripted } from "../../src/testing/index.ts";
import { refuses, usersOf } from "../loop/play.fixture.ts";

const refund = method({ name: "refund", unsafeIn: ["web"] }, () => "PAID");
const ask = method({ name: "ask" }, () => "ASKED");
const choices = { money: refund, ask, no: "NO" };

type Rules = Pick<ExecOptions, "toolsAllow" | "toolsDeny" | "toolsSource">;

const rules: readonly (readonly [string, Rules, RegExp])[] = [
  ["a denial", { toolsDeny: ["refund"] }, /denied by toolsDeny/],
  ["a denial of the option's name", { toolsDeny: ["money"] }, /denied by toolsDeny/],
  ["an allow-list", { toolsAllow: ["ask"] }, /not among toolsAllow/],
  ["its source", { toolsSource: "web" }, /not offered to requests from "web"/],
];

describe.each(rules)("an option that may not be picked, by %s", (_name, options, why) => {
  test("is not in the menu, nor does it have a number", async () => {
    const model = scripted(["1"]);
    expect(await createRuntime({ model }).exec("go", { tools: [], choices, ...options })).toBe("ASKED");
    expect(model.requests[0]?.system).toMatch(/1\. ask\n.*\n2\. no\n/);
    expect(model.requests[0]?.system).not.toMatch(/money|refund/);
  });

  test.each(['{"call":"money"}', "money", '{"call":" Money"}'])(
    "picked all the same (%s) is told why not",
    async (pick) => {
      const model = scripted([pick, "no"]);
      expect(await createRuntime({ model }).exec("go", { tools: [], choices, ...options })).toBe("NO");
      const notice = usersOf(model.requests[1]?.messages).at(-1) ?? "";
      expect(notice).toMatch(/"money"/);
      expect(notice).toMatch(why);
      expect(notice).not.toContain('{"call":"money"}');
    },
  );
});

/** The warnings of runs with these rules, one after the other on one runtime. */
async function warnings(rules: Omit<Rules, "toolsSource">[], requiresApproval: string[] = []) {
  const model = scripted(rules.map(() => "no"));
  const runtime = createRuntime({ model, requiresApproval, approve: () => true });
  const told: string[][] = [];
  for (const options of rules) {
    const run = runtime.run("go", { toolset: "none", choices, ...options });
    const events = await Array.fromAsync(run);
    told.push(events.flatMap((event) => (event.type === "warning" ? [event.message] : [])));
  }
  return told;
}

describe("a name in a rule", () => {
  test("that an option's function has, or an option, is known", async () => {
    const known = [{ toolsDeny: ["refund"] }, { toolsDeny: ["money"] }, { toolsAllow: ["ask", "refund"] }];
    expect(await warnings(known, ["refund", "money", "ask"])).toEqual([[], [], []]);
  });

  test("that nothing has is told, with what is like it", async () => {
    const told = await warnings([{ toolsDeny: ["refnd"] }, { toolsDeny: ["no"] }]);
    expect(told).toEqual([
      ['toolsDeny: there is no tool named "refnd". Did you mean "refund"?'],
      ['toolsDeny: there is no tool named "no".'],
    ]);
  });

  test("is known only where it is an option", async () => {
    const model = scripted(["no", "text"]);
    const runtime = createRuntime({ model });
    const rules = { toolset: "none", toolsDeny: ["refund"] } as const;
    await runtime.exec("go", { ...rules, choices });
    const events = await Array.fromAsync(runtime.run("go", rules));
    expect(events.find((event) => event.type === "warning")).toMatchObject({ code: "unknown_tool" });
  });
});

describe("options none of which may be picked", () => {
  test("are a mistake of the caller, told before any request", async () => {
    await refuses({ choices: { money: refund } }, "invalid_option", /"money".*denied by toolsDeny/, {
      toolsDeny: ["refund"],
    });
    await refuses({ toolsAllow: [], choices: [refund, ask] }, "invalid_option", /"refund".*toolsAllow.*"ask"/s);
  });

  test("but a value is none of those", async () => {
    const model = scripted(["1"]);
    const exec = createRuntime({ model }).exec("go", {
      tools: [],
      toolsAllow: [],
      choices: { money: refund, refund: option.value(3) },
    });
    expect(await exec).toBe(3);
  });
});
