import * as v from "valibot";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { tool } from "../menu/tool.ts";
import type { JsonObject } from "../message/json.ts";
import { type Choices, type ChoicesValue, option } from "./option.ts";

/** As `exec` takes its options. */
const decided = <const O extends { readonly choices: Choices }>(_: O) => null as unknown as ChoicesValue<O["choices"]>;

const look = tool({ name: "look", input: z.object({ at: z.string() }), execute: async ({ at }) => at.length });
const form = z.object({ title: z.string(), level: z.enum(["low", "high"]).default("low") });

describe("what a decision comes to", () => {
  it("is the union of what its options yield", () => {
    const value = decided({
      choices: { look, no: "NO", three: option.value(3, "Three."), form: option.schema(form, "A form."), none: null },
    });
    expectTypeOf(value).toEqualTypeOf<
      number | "NO" | 3 | null | ({ readonly decision: "form" } & { title: string; level: "low" | "high" })
    >();
    expectTypeOf(decided({ choices: { yes: true, no: false } })).toEqualTypeOf<boolean>();
  });

  it("of a list goes by the names of its options", () => {
    const value = decided({ choices: ["yes", "no", option.schema(form, { name: "form" }), look] });
    expectTypeOf(value).toEqualTypeOf<
      number | "yes" | "no" | ({ readonly decision: "form" } & { title: string; level: "low" | "high" })
    >();
  });

  it("holds for options in variables, for executors without tool() and for other schemas", () => {
    const choices = { a: { spec: { name: "a" }, execute: () => "done" as const }, b: "B" } as const;
    expectTypeOf(decided({ choices })).toEqualTypeOf<"done" | "B">();
    const raw = { type: "object", properties: { a: { type: "number" } } } as const;
    expectTypeOf(decided({ choices: { raw: option.schema(raw) } })).toEqualTypeOf<
      { readonly decision: "raw" } & JsonObject
    >();
    const beside = { schema: v.object({ a: v.number() }), jsonSchema: raw };
    expectTypeOf(decided({ choices: { beside: option.schema(beside) } })).toEqualTypeOf<
      { readonly decision: "beside" } & { a: number }
    >();
    const bare = form.transform(({ title }) => title);
    expectTypeOf(decided({ choices: { bare: option.schema(bare) } })).toEqualTypeOf<{
      readonly decision: "bare";
      readonly value: string;
    }>();
  });

  it("a plain function, a bare schema and undefined are no options", () => {
    // @ts-expect-error no schema that the model could be told of
    decided({ choices: { a: () => 1 } });
    // @ts-expect-error wants option.schema around it
    decided({ choices: { a: form } });
    // @ts-expect-error nothing
    decided({ choices: { a: undefined } });
  });
});
