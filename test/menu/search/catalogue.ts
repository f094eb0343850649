import { menuTool } from "../../../src/menu/entry.ts";
import { tool } from "../../../src/menu/tool.ts";
import { office } from "./office.ts";
import { technical } from "./technical.ts";

/** A tool as it is written down here. */
export type Written = { readonly name: string; readonly description: string; readonly parameters: object };

const schemaOf = (parameters: readonly string[]): object => ({
  type: "object",
  properties: Object.fromEntries(
    parameters.map((text) => {
      const [name = "", description = ""] = text.split(": ");
      return [name, { type: "string", description: `${description}.` }];
    }),
  ),
});

function read(line: string): Written {
  const [name = "", description = "", parameters = ""] = line.split(" | ").map((part) => part.trim());
  return { name, description, parameters: schemaOf(parameters.split("; ").filter((text) => text !== "")) };
}

/** The two hundred tools that the requests are about. */
export const written: readonly Written[] = `${office}${technical}`
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => read(line.replace(/\|$/, "| ")));

const places = (
  "pallets:warehouse barrels:winery patients:clinic lessons:school books:library trucks:fleet plots:farm exhibits:museum " +
  "meters:power-grid wells:oilfield turbines:wind-farm vaccines:pharmacy samples:laboratory recipes:kitchen uniforms:laundry " +
  "players:league horses:stable tickets:theatre songs:studio engines:hangar containers:harbour kilns:pottery looms:mill " +
  "bees:apiary claims:insurer voters:registry verdicts:court parcels:depot elevators:tower lifeboats:coast telescopes:observatory " +
  "coins:mint dresses:atelier rails:tramway fossils:quarry puppets:stage seeds:nursery trophies:club lanterns:festival bricks:kiln"
)
  .split(" ")
  .map((pair) => pair.split(":") as [things: string, place: string]);

const deeds: readonly (readonly [verb: string, text: string])[] = [
  ["create", "Adds a new one to the {things} of a {place}"],
  ["list", "Lists the {things} of a {place}"],
  ["search", "Searches the {things} of a {place} by name, date or state"],
  ["get", "Shows the details of one of the {things} of a {place}"],
  ["update", "Changes what is known of {things} in a {place}"],
  ["delete", "Removes {things} from a {place}"],
  ["export", "Exports the {things} of a {place} to a file"],
  ["import", "Reads {things} of a {place} from a file"],
  ["assign", "Makes a person responsible for {things} of a {place}"],
  ["move", "Moves {things} to another {place}"],
  ["copy", "Duplicates the record of {things} in a {place}"],
  ["share", "Sends a link to the {things} of a {place} to a person"],
  ["schedule", "Plans when {things} are wanted in a {place}"],
  ["cancel", "Takes back what was planned for {things} of a {place}"],
  ["approve", "Approves a change to the {things} of a {place}"],
  ["count", "Tells how many {things} there are in a {place}"],
  ["report", "Makes a monthly report on the {things} of a {place}"],
  ["notify", "Warns somebody when {things} of a {place} change"],
  ["tag", "Puts a label on {things} of a {place}"],
  ["restore", "Brings back {things} that were removed from a {place}"],
];

/** Eight hundred tools that do the same deeds to other things. */
export const padding: readonly Written[] = places.flatMap(([things, place]) =>
  deeds.map(([verb, text]) => ({
    name: `${place}_${verb}_${things}`,
    description: `${text.replace("{things}", things).replace("{place}", place)}.`,
    parameters: schemaOf([`id: Number of the ${place}`, `${things}: Which ${things}`, `when: Date and time`]),
  })),
);

/** Written tools as a menu holds them. */
export const menuTools = (tools: readonly Written[]) =>
  tools.map(({ name, description, parameters }) =>
    menuTool(tool({ name, description, input: parameters as never, execute: () => `ran ${name}` })),
  );
