import fc from "fast-check";
import { expect, test } from "vitest";
import { createRuntime, type ExecOptions, type Message, type ToolOptions, tool } from "../../src/core.ts";
import { textOf } from "../../src/message/message.ts";
import { scripted } from "../../src/testing/index.ts";
import { call, picks } from "../loop/play.fixture.ts";

const names = ["read.page", "send mail", "__proto__", "constructor", "t4", "t5", "t6", "t7"];

/** What keeps a tool out, or may. */
type Kind = {
  readonly defer: boolean | undefined;
  readonly exposed: boolean;
  readonly unsafe: boolean;
  readonly check: "yes" | "no" | "throws" | "none";
  readonly registers: boolean;
  readonly inPreset: boolean;
};
type Lists = { readonly allow: readonly string[] | undefined; readonly deny: readonly string[] };

const some = fc.subarray(names, { minLength: 4 });
const often = fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false));
const kind: fc.Arbitrary<Kind> = fc.record({
  defer: fc.constantFrom(true, true, undefined, false),
  exposed: often,
  unsafe: fc.boolean(),
  check: fc.constantFrom("none", "yes", "no", "throws"),
  registers: often,
  inPreset: often,
});
const lists: fc.Arbitrary<Lists> = fc.record({
  allow: fc.option(some, { nil: undefined }),
  deny: fc.oneof(
    { weight: 8, arbitrary: fc.subarray(names, { maxLength: 3 }) },
    fc.constant(["tool_search"]),
    fc.constant(["call_tool", "t4"]),
  ),
});
/** Options with these lists; a list that is absent is left out. */
const listed = ({ allow, deny }: Lists) => ({ ...(allow && { toolsAllow: allow }), toolsDeny: deny });
const allows = ({ allow, deny }: Lists, name: string) => (allow?.includes(name) ?? true) && !deny.includes(name);

/** Every way in which a model may ask for every name, in two replies. */
const attempts = (where: string) => [
  picks(
    ...["dial", "+dial turn", ...names, `select:${names.join(",")}`].map((query) =>
      call("tool_search", { query, limit: 20 }),
    ),
  ),
  picks(
    ...names.map((name) => call("call_tool", { name, arguments: { where } })),
    ...names.map((name) => call(name, { where })),
  ),
];

const found = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) =>
    message.role === "tool" && message.toolName === "tool_search"
      ? [...textOf(message).matchAll(/^\{"name":"((?:[^"\\]|\\.)*)"/gm)].map(([, name]) => name!)
      : [],
  );

test("what gates keep out of a menu is never found by tool_search, nor run by call_tool or by name, in nested runs neither", async () => {
  const seen = { found: 0, ran: 0, kept: 0 };
  const property = fc.asyncProperty(
    fc.tuple(...names.map(() => kind)),
    fc.record({
      outer: lists,
      inner: lists,
      source: fc.boolean(),
      preset: fc.boolean(),
      full: fc.boolean(),
      above: fc.constantFrom(0, 100, Infinity),
    }),
    async (kinds, { outer, inner, source, preset, full, above }) => {
      const ran: string[] = [];
      const inputs = { type: "object", properties: { where: { type: "string" } } };
      const checks = {
        yes: () => true,
        no: () => false,
        throws: () => Promise.reject(new Error("no")) as never,
        none: undefined,
      };
      const tools = kinds.map(({ defer, exposed, unsafe, check, registers }, at) => {
        const options: ToolOptions = {
          ...(defer !== undefined && { defer }),
          expose: exposed,
          availableIf: () => registers,
          ...(unsafe && { unsafeIn: ["web"] }),
          ...(checks[check] && { check: checks[check] }),
        };
        return tool({
          name: names[at]!,
          description: `Turns dial ${at}.`,
          input: inputs,
          ...options,
          execute: ({ where }) => ran.push(`${where} ${names[at]}`) && "ran",
        });
      });
      const inside = scripted([...attempts("inner"), "in"]);
      const nest = tool({
        name: "nest",
        defer: false,
        execute: async (_, ctx) => {
          await ctx.runtime.exec("in", { model: inside, ...listed(withNest(inner)), ...(full && { toolset: "full" }) });
          return "nested";
        },
      });
      const model = scripted([...attempts("outer"), picks("nest"), "done"]);
      const presets = {
        mine: { tools: ["nest", ...names.filter((_, at) => kinds[at]!.inPreset && kinds[at]!.registers)] },
      };
      const runtime = createRuntime({ tools: [nest, ...tools], presets });
      const options: ExecOptions = {
        ...listed(withNest(outer)),
        ...(source && { toolsSource: "web" }),
        ...(preset && { toolset: "mine" }),
        deferAbove: above,
      };
      const { messages, outcome } = await runtime.run("go", { model, ...options }).result;
      expect(outcome).toBe("stop");

      const passes = (at: number) => {
        const { exposed, unsafe, check, registers } = kinds[at]!;
        return (
          registers &&
          exposed &&
          !(source && unsafe) &&
          check !== "no" &&
          check !== "throws" &&
          allows(outer, names[at]!)
        );
      };
      const out = names.filter((_, at) => passes(at) && (!preset || kinds[at]!.inPreset));
      const within = names.filter(
        (name, at) => passes(at) && (!preset || full || kinds[at]!.inPreset) && allows(inner, name),
      );
      for (const [where, allowed, said] of [
        ["outer", out, messages],
        ["inner", within, inside.requests.at(-1)?.messages ?? []],
      ] as const) {
        const names = found(said);
        for (const name of names) expect(allowed).toContain(name);
        const here = new Set(ran.filter((one) => one.startsWith(where)).map((one) => one.slice(6)));
        expect([...here].sort()).toEqual([...allowed].sort());
        seen.found += names.length;
        seen.ran += here.size;
        seen.kept += 8 - here.size;
      }
    },
  );
  await fc.assert(property, { numRuns: 150 });
  expect(Math.min(seen.found, seen.ran, seen.kept)).toBeGreaterThan(100);
});

/** Lists with what the test itself needs. */
const withNest = ({ allow, deny }: Lists): Lists => ({ allow: allow && ["nest", ...allow], deny });
