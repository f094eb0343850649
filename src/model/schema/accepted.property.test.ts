import { dereference, type Schema, validate } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { argumentSchemas, objects } from "../../../test/wires/schema-arbitrary.ts";
import { problemsOf, rules } from "../../../test/wires/schema-rules.ts";
import { acceptedSchema } from "./accepted.ts";
import { dialects } from "./dialect.ts";
import { draftOf } from "./draft.ts";

/** The same schemas every time, unless more are asked for: then new ones. */
const { SCHEMA_RUNS } = process.env;
const numRuns = Number(SCHEMA_RUNS ?? 60);
const parameters = SCHEMA_RUNS === undefined ? { numRuns, seed: 7 } : { numRuns };
const names = Object.keys(dialects) as (keyof typeof dialects)[];

/** Whether values fit, as the validator of raw schemas sees it; undefined where it cannot decide, as in endless references. */
function fitting(schema: object, draft = draftOf(schema as never)): (value: unknown) => boolean | undefined {
  const copy = structuredClone(schema) as Schema;
  const lookup = dereference(copy);
  return (value) => {
    try {
      return validate(value, copy, draft, lookup).valid;
    } catch {
      return undefined;
    }
  };
}

describe.each(names)("%s", (name) => {
  const dialect = dialects[name];
  const schemas = argumentSchemas({ typeless: !dialect.typed });

  test("no schema leaves with anything on the list of what is refused", () => {
    fc.assert(
      fc.property(argumentSchemas({ typeless: true }), (schema) => {
        const before = JSON.stringify(schema);
        const accepted = acceptedSchema(schema, dialect);
        expect(JSON.stringify(schema)).toBe(before);
        if ("refused" in accepted) expect(accepted.refused.path).toMatch(/^#/);
        else expect(problemsOf(accepted.schema, rules[name])).toEqual([]);
      }),
      parameters,
    );
  });

  test("what fits the original fits what is shown", () => {
    let fit = 0;
    fc.assert(
      fc.property(schemas, fc.array(objects, { minLength: 20, maxLength: 20 }), (schema, values) => {
        const accepted = acceptedSchema(schema, dialect);
        const original = fitting(schema);
        if ("refused" in accepted) return;
        const shown = fitting(accepted.schema, "2020-12");
        for (const value of values) {
          if (original(value) !== true) continue;
          fit += 1;
          expect({ value, fits: shown(value), accepted }).toMatchObject({ fits: true });
        }
      }),
      parameters,
    );
    // How many do is chance; that some do is what makes the property mean something.
    expect(fit).toBeGreaterThan(numRuns / 10);
  });
});
