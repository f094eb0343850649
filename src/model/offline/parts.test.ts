import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../message/json.ts";
import { call, converse } from "./offline.fixture.ts";

const declare = (name: string, description: string, properties: JsonObject, required: readonly string[]) => ({
  name,
  description,
  parameters: { type: "object", properties, required },
});
const number = (description: string): JsonObject => ({ type: "number", description });
const text = (description: string): JsonObject => ({ type: "string", description });

const tools = [
  declare("get_weather", "Weather of a city.", { city: text("The city."), unit: { enum: ["celsius", "fahrenheit"] } }, [
    "city",
  ]),
  declare(
    "bmi",
    "Calculates the body mass index.",
    { height: number("Height in feet."), weight: number("Weight in kg.") },
    ["height", "weight"],
  ),
  declare("circle_area", "Area of a circle.", { radius: number("Radius.") }, ["radius"]),
  declare("cube_volume", "Volume of a cube.", { side: number("Length of a side.") }, ["side"]),
  declare(
    "loan_rate",
    "Yearly payment for a loan.",
    { amount: number("Amount."), rate: number("Interest rate."), years: number("Years.") },
    ["amount", "rate", "years"],
  ),
  declare("mean", "Mean of numbers.", { numbers: { type: "array", items: { type: "number" } } }, ["numbers"]),
  declare("distance", "Distance between two places.", { from: text("Start."), to: text("End.") }, ["from", "to"]),
];

describe("one clause, several calls", () => {
  test.each<[string, readonly string[]]>([
    ["Weather in Rome and Oslo", [call("get_weather", { city: "Rome" }), call("get_weather", { city: "Oslo" })]],
    [
      "What is the weather in Rome, in Oslo and in Paris in celsius?",
      ["Rome", "Oslo", "Paris"].map((city) => call("get_weather", { city, unit: "celsius" })),
    ],
    [
      "Area of a circle of radius 5 and volume of a cube of side 2",
      [call("circle_area", { radius: 5 }), call("cube_volume", { side: 2 })],
    ],
    ["Area of circles of radius 5, 10 and 15", [5, 10, 15].map((radius) => call("circle_area", { radius }))],
    [
      "Calculate the body mass index for a height of 6 feet and a weight of 80 kg, also for a height of 5.5 feet and a weight of 60 kg",
      [call("bmi", { height: 6, weight: 80 }), call("bmi", { height: 5.5, weight: 60 })],
    ],
    [
      "Yearly payment for a loan with amount 1000, rate of 5% for 10, 20 and 30 years",
      [10, 20, 30].map((years) => call("loan_rate", { amount: 1000, rate: 0.05, years })),
    ],
    ["Weather in Rome. And in Oslo?", [call("get_weather", { city: "Rome" }), call("get_weather", { city: "Oslo" })]],
  ])("%j", async (request, expected) => {
    expect((await converse(request, undefined, { tools })).calls).toEqual(expected);
  });
});

describe("one call it stays", () => {
  test.each<[string, string]>([
    ["Mean of the numbers 1, 2 and 3", call("mean", { numbers: [1, 2, 3] })],
    ["Mean of [4, 5, 6]", call("mean", { numbers: [4, 5, 6] })],
    ["Distance between Rome and Oslo", call("distance", { from: "Rome", to: "Oslo" })],
    ["Calculate the body mass index for 6 feet and 80 kg", call("bmi", { height: 6, weight: 80 })],
  ])("%j", async (request, expected) => {
    expect((await converse(request, undefined, { tools })).calls).toEqual([expected]);
  });
});
