import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { JsonObject } from "../message/json.ts";
import type { ToolContext } from "./context.ts";
import { type NamedTool, type ToolEntry, tool } from "./tool.ts";

const zodInput = z.object({ city: z.string(), days: z.number().default(1) });
const arkInput = type({ city: "string", "days?": "number" });
const valibotInput = toStandardJsonSchema(v.object({ city: v.string() }));

describe("the arguments of execute", () => {
  it("are what zod puts out", () => {
    tool({
      name: "weather",
      input: z.object({ city: z.string(), days: z.number().default(1) }),
      execute: ({ city, days }, ctx) => {
        expectTypeOf(city).toEqualTypeOf<string>();
        expectTypeOf(days).toEqualTypeOf<number>();
        expectTypeOf(ctx).toEqualTypeOf<ToolContext>();
      },
    });
  });

  it("are what arktype puts out", () => {
    tool({
      name: "weather",
      input: arkInput,
      execute: (args) => {
        expectTypeOf(args.city).toEqualTypeOf<string>();
        expectTypeOf(args).toEqualTypeOf<{ city: string; days?: number }>();
      },
    });
  });

  it("are what valibot with its converter puts out", () => {
    tool({
      name: "weather",
      input: valibotInput,
      execute: ({ city }) => expectTypeOf(city).toEqualTypeOf<string>(),
    });
  });

  it("are those of the schema where the JSON Schema stands beside it", () => {
    tool({
      name: "weather",
      input: { schema: v.object({ city: v.string() }), jsonSchema: { type: "object" } },
      execute: ({ city }) => expectTypeOf(city).toEqualTypeOf<string>(),
    });
  });

  it("are a JSON object for a raw JSON Schema", () => {
    tool({
      name: "weather",
      input: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      execute: (args) => expectTypeOf(args).toEqualTypeOf<JsonObject>(),
    });
    const schema = { type: "object", properties: { city: { type: "string" } } };
    tool({ name: "weather", input: schema, execute: (args) => expectTypeOf(args).toEqualTypeOf<JsonObject>() });
  });

  it("are a JSON object without an input", () => {
    tool({ name: "now", execute: (args) => expectTypeOf(args).toEqualTypeOf<JsonObject>() });
  });

  it("are those of the approval function too", () => {
    tool({
      name: "weather",
      input: zodInput,
      requiresApproval: ({ days }) => days > 3,
      execute: ({ city }) => city,
    });
  });
});

describe("an entry of tools", () => {
  it("is a tool of any input", () => {
    const entries: ToolEntry[] = [
      tool({ name: "a", input: zodInput, requiresApproval: ({ days }) => days > 3, execute: ({ city }) => city }),
      tool({ name: "b", input: arkInput, execute: ({ city }) => city }),
      tool({ name: "c", input: valibotInput, execute: ({ city }) => city }),
      tool({ name: "d", input: { type: "object" }, execute: (args) => args.x }),
      tool({ name: "e", execute: () => 1 }),
    ];
    expectTypeOf(entries).toEqualTypeOf<ToolEntry[]>();
  });

  it("is an object with spec and execute, a known name or a named tool", () => {
    const entries: ToolEntry[] = [
      { spec: { name: "a", parameters: { type: "object" } }, execute: (args: JsonObject) => args.x },
      { spec: { name: "b", input: zodInput }, execute: ({ city }: { city: string }) => city },
      "read_file",
      tool.named("mine"),
    ];
    expectTypeOf(entries).toEqualTypeOf<ToolEntry[]>();
    expectTypeOf(tool.named("x")).toEqualTypeOf<NamedTool>();
    // @ts-expect-error a name that nobody registered goes through tool.named
    const unknown: ToolEntry = "raed_file";
    expectTypeOf(unknown).not.toBeAny();
  });
});

describe("mistakes that the compiler sees", () => {
  it("are a bare valibot schema and a tool without execute", () => {
    // @ts-expect-error valibot alone cannot say itself as JSON Schema
    tool({ name: "a", input: v.object({ city: v.string() }), execute: () => 1 });
    // @ts-expect-error nothing to run
    tool({ name: "a" });
  });
});
