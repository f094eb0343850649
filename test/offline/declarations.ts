/** The tools of the table: those that come with Rondo, and ten of a user's own. */
import type { JsonObject } from "../../src/message/json.ts";
import type { ToolDeclaration } from "../../src/model/model.ts";
import { declared } from "../../src/model/offline/offline.fixture.ts";
import { builtInTools } from "../../src/tools/index.ts";

const text = (description: string): JsonObject => ({ type: "string", description });
const whole = (description: string, bounds: JsonObject = {}): JsonObject => ({
  type: "integer",
  description,
  ...bounds,
});
const oneOf = (description: string, ...values: readonly string[]): JsonObject => ({
  type: "string",
  enum: values,
  description,
});

const declare = (
  name: string,
  description: string,
  properties: { readonly [name: string]: JsonObject },
  required: readonly string[],
): ToolDeclaration => ({ name, description, parameters: { type: "object", properties, required } });

const own: readonly ToolDeclaration[] = [
  declare(
    "get_weather",
    "Current weather and forecast for a city.",
    {
      city: text("City, for example 'Graz'."),
      days: whole("Days of forecast. Default 1.", { minimum: 1, maximum: 14 }),
      unit: oneOf("Unit of temperature. Default celsius.", "celsius", "fahrenheit"),
    },
    ["city"],
  ),
  declare("order_status", "Tells where an order is.", { order_id: text("Number of the order, such as ORD-1204.") }, [
    "order_id",
  ]),
  declare(
    "find_orders",
    "Searches the orders of the shop, newest first.",
    {
      customer: text("Name of the customer."),
      status: oneOf("Only orders in this state.", "open", "shipped", "cancelled", "returned"),
      since: { type: "string", format: "date", description: "Only orders from this day on." },
      limit: whole("Most orders to return. Default 20.", { minimum: 1 }),
    },
    [],
  ),
  declare(
    "convert_currency",
    "Converts an amount of money from one currency to another at the rate of today.",
    {
      amount: { type: "number", description: "Amount of money." },
      from: text("ISO code of the currency to convert from, such as EUR."),
      to: text("ISO code of the currency to convert to."),
    },
    ["amount", "from", "to"],
  ),
  declare(
    "calendar.create_event",
    "Creates an event in the calendar and invites people to it.",
    {
      title: text("Title of the event."),
      date: { type: "string", format: "date", description: "Day of the event, YYYY-MM-DD." },
      start_time: text("Time of day at which it starts, HH:MM."),
      duration_minutes: whole("How long it takes. Default 30."),
      attendees: { type: "array", items: { type: "string", format: "email" }, description: "Who is invited." },
      online: { type: "boolean", description: "Held online. Default false." },
    },
    ["title", "date", "start_time"],
  ),
  declare(
    "calendar.list_events",
    "Lists the events and appointments in the calendar.",
    {
      from: { type: "string", format: "date", description: "First day." },
      to: { type: "string", format: "date", description: "Last day. Default: the first day." },
    },
    ["from"],
  ),
  declare(
    "send_mail",
    "Sends a mail.",
    {
      to: { type: "array", items: { type: "string", format: "email" }, description: "Addresses of the recipients." },
      subject: text("Subject line."),
      body: text("Text of the mail."),
      urgent: { type: "boolean", description: "Marked as urgent. Default false." },
    },
    ["to", "subject", "body"],
  ),
  declare(
    "search_flights",
    "Searches flights between two cities or airports.",
    {
      from: text("City or airport of departure."),
      to: text("City or airport of arrival."),
      date: { type: "string", format: "date", description: "Day of departure, YYYY-MM-DD." },
      passengers: whole("Number of passengers. Default 1."),
      class: oneOf("Class of travel.", "economy", "premium", "business", "first"),
      direct_only: { type: "boolean", description: "Only direct flights. Default false." },
    },
    ["from", "to", "date"],
  ),
  declare(
    "loan_payment",
    "Calculates the monthly payment of a loan.",
    {
      principal: { type: "number", description: "Amount of the loan." },
      annual_rate: { type: "number", description: "Interest a year, in percent." },
      years: whole("Years over which it is paid back."),
    },
    ["principal", "annual_rate", "years"],
  ),
  declare(
    "set_thermostat",
    "Sets the temperature of the heating in a room.",
    {
      room: oneOf("The room.", "bedroom", "kitchen", "living room", "office"),
      celsius: { type: "number", minimum: 5, maximum: 30, description: "Temperature in degrees Celsius." },
      schedule: {
        type: "object",
        description: "Hours in which it holds. Default: from now on.",
        properties: { from: text("HH:MM"), to: text("HH:MM") },
        required: ["from", "to"],
      },
    },
    ["room", "celsius"],
  ),
];

export const declarations: readonly ToolDeclaration[] = [...declared(builtInTools), ...own];

/** Those that change something outside. */
export const writing: ReadonlySet<string> = new Set([
  "write_file",
  "edit_file",
  "calendar.create_event",
  "send_mail",
  "set_thermostat",
]);

/** Values that say the same as leaving the argument out. */
export const defaults: { readonly [tool: string]: { readonly [name: string]: string | number | boolean } } = {
  read_file: { offset: 1, limit: 2000 },
  list_dir: { path: "." },
  glob: { path: "." },
  grep: { path: ".", ignore_case: false, context: 0, output: "lines", max: 200 },
  get_weather: { days: 1, unit: "celsius" },
  find_orders: { limit: 20 },
  "calendar.create_event": { duration_minutes: 30, online: false },
  send_mail: { urgent: false },
  search_flights: { passengers: 1, direct_only: false },
};
