import { expect, test } from "vitest";
import { writesOutside } from "./outside.ts";

const declared = (name: string, description: string) => ({
  name,
  description,
  parameters: { type: "object" } as const,
});

test.each([
  ["wipe_disk", "Wipes a disk."],
  ["ban_user", "Ban users of the forum."],
  ["frobnicate", ""],
  ["door", "Unlocks a door of the house."],
  ["delete_user", "Deletes a user."],
  ["get_and_delete", "Gets a user."],
  ["open_valve", "Opens a valve."],
  ["return_book", "Returns a book to the library."],
  ["check_in", "Checks in a guest."],
  ["give_access", "Gives access to a folder."],
  ["disk", "A tool that wipes a disk."],
])("%s may change something: %j", (name, description) => {
  expect(writesOutside(declared(name, description))).toBe(true);
});

test.each([
  ["get_weather", "Current weather and forecast for a city."],
  ["files.get_size", ""],
  ["weather", "Current weather of a city."],
  ["order_status", "Tells where an order is."],
  ["loan_payment", "Calculates the monthly payment of a loan."],
  ["bestSeason", ""],
])("%s only reads: %j", (name, description) => {
  expect(writesOutside(declared(name, description))).toBe(false);
});

test("what its author calls harmless is", () => {
  expect(writesOutside({ ...declared("wipe_disk", "Wipes a disk."), readOnly: true })).toBe(false);
});
