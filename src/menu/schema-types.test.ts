import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../model/model.ts";
import { boolean, every, integer, nothing, number, object, resolveRef, string, typesOf } from "./schema-types.ts";

describe("typesOf", () => {
  it.each([
    [{}, every],
    [true, every],
    [false, 0],
    [{ type: "integer" }, integer],
    [{ type: "number" }, number],
    [{ type: ["string", "null"] }, string | nothing],
    [{ enum: ["a", 1, null] }, string | integer | nothing],
    [{ const: false }, boolean],
    [{ const: null }, nothing],
    [{ anyOf: [{ type: "object" }, { type: "null" }] }, object | nothing],
    [{ type: ["integer", "string"], oneOf: [{ type: "number" }, { type: "null" }] }, integer],
    [{ allOf: [{ type: ["integer", "null"] }, { type: "number" }] }, integer],
    [{ $ref: "#/$defs/flag" }, boolean],
    [{ $ref: "#/$defs/loop" }, every],
    [{ $ref: "https://x.test/" }, every],
    [{ type: "unheard" }, every],
  ] as [unknown, number][])("of %j", (schema, types) => {
    const root = { $defs: { flag: { type: "boolean" }, loop: { $ref: "#/$defs/loop" } } };
    expect(typesOf(root, schema)).toBe(types);
  });
});

describe("resolveRef", () => {
  const root: JsonSchema = { $defs: { "a/b ~": { type: "string" }, list: { anyOf: [{ const: 1 }] } } };
  it.each([
    ["#", root],
    ["#/$defs/a~1b%20~0", { type: "string" }],
    ["#/$defs/list/anyOf/0", { const: 1 }],
    ["#/$defs/none", undefined],
    ["#/constructor", undefined],
    ["#/$defs/__proto__", undefined],
    ["#/$defs/list/anyOf/0/const/deeper", undefined],
    ["#/$defs/%", undefined],
    ["#anchor", undefined],
    ["other.json", undefined],
  ])("follows %j", (ref, wanted) => {
    expect(resolveRef(root, ref)).toEqual(wanted);
  });
});
