/** What `npm run real` asks of a model: one- and two-step tasks over real tools, with how to tell that they were done. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Tool, tool } from "../src/index.ts";

/** Arguments of a call that ran. */
type Given = { readonly [name: string]: unknown };

/** A pick that the task needs: the tool, and what must hold of its arguments. */
export type Pick = { readonly tool: string; readonly fits?: (given: Given) => boolean };

export type Task = {
  readonly prompt: string;
  /** In order; any one of the alternatives of a step. */
  readonly steps: readonly (readonly Pick[])[];
  /** What the final text has to say. */
  readonly says?: RegExp;
  /** What must be so in the folder afterwards. */
  readonly done?: (folder: string) => boolean;
};

/** The files that the tasks are about. */
export const files: { readonly [path: string]: string } = {
  "notes.txt": "Buy milk.\nCall Anna on Friday.\nThe code of the door is 7316.\n",
  "todo.md": "# To do\n\n- paint the fence\n- mend the bike\n",
  "data/prices.csv": "item,price\npear,3\nplum,5\nfig,8\n",
  "data/config.json": '{ "port": 8421, "host": "localhost" }\n',
  "src/main.ts": 'import { greet } from "./greet.ts";\n\nconsole.log(greet("world"));\n',
  "src/greet.ts":
    '// TODO: other languages\nexport function greet(name: string): string {\n  return "Hello, " + name;\n}\n',
  "src/sum.ts": "export const sum = (a: number, b: number): number => a + b;\n",
};

const weather = tool({
  name: "get_weather",
  description: "Tells the current weather in a city.",
  input: {
    type: "object",
    properties: { city: { type: "string", description: "Name of the city." } },
    required: ["city"],
  },
  execute: ({ city }: Given) =>
    /oslo/i.test(String(city)) ? "Snow, -4 °C" : /rome/i.test(String(city)) ? "Sunny, 21 °C" : "Rain, 12 °C",
});

const order = tool({
  name: "find_order",
  description: "Looks up an order of the shop: its state, and the id of its customer.",
  input: {
    type: "object",
    properties: { order_id: { type: "string", description: "Such as A-100." } },
    required: ["order_id"],
  },
  execute: ({ order_id: id }: Given) => {
    if (id !== "A-200" && id !== "A-300") throw new Error(`There is no order ${id}.`);
    return id === "A-200" ? { state: "shipped", customer_id: "C-7" } : { state: "cancelled", customer_id: "C-9" };
  },
});

const customer = tool({
  name: "find_customer",
  description: "Looks up a customer of the shop by id: name and city.",
  input: {
    type: "object",
    properties: { customer_id: { type: "string", description: "Such as C-1." } },
    required: ["customer_id"],
  },
  execute: ({ customer_id: id }: Given) => {
    if (id !== "C-7" && id !== "C-9") throw new Error(`There is no customer ${id}.`);
    return id === "C-7" ? { name: "Ingrid Berg", city: "Oslo" } : { name: "Marco Conti", city: "Rome" };
  },
});

/** The tools of the tasks' own, beside the built-in ones. */
export const ownTools: readonly Tool[] = [weather, order, customer];

/** The built-in tools that the tasks are about. */
export const builtIn = ["read_file", "list_dir", "glob", "grep", "write_file", "run_code"] as const;

const has = (name: string, wanted: RegExp) => (given: Given) => wanted.test(String(given[name] ?? ""));
const read = (path: RegExp): Pick => ({ tool: "read_file", fits: has("path", path) });
const search = (pattern: RegExp): Pick => ({ tool: "grep", fits: has("pattern", pattern) });
const call = (name: string, argument: string, wanted: RegExp): Pick => ({ tool: name, fits: has(argument, wanted) });
const holds = (path: string, wanted: RegExp) => (folder: string) => {
  try {
    return wanted.test(readFileSync(join(folder, path), "utf8"));
  } catch {
    return false;
  }
};

export const tasks: readonly Task[] = [
  {
    prompt: "What is the code of the door? It is in notes.txt.",
    steps: [[read(/notes\.txt/), search(/door|code/i)]],
    says: /7316/,
  },
  { prompt: "Which port is in data/config.json?", steps: [[read(/config\.json/), search(/port/)]], says: /8421/ },
  { prompt: "Read todo.md and tell me what is to be mended.", steps: [[read(/todo\.md/)]], says: /bike/i },
  {
    prompt: "List the files in the folder src.",
    steps: [[call("list_dir", "path", /src/), call("glob", "pattern", /src|\*/)]],
    says: /greet\.ts[\s\S]*main\.ts|main\.ts[\s\S]*greet\.ts/,
  },
  {
    prompt: "Which folders are in the workspace?",
    steps: [[{ tool: "list_dir" }]],
    says: /data[\s\S]*src|src[\s\S]*data/,
  },
  { prompt: "Find all files that end in .csv.", steps: [[call("glob", "pattern", /csv/)]], says: /prices\.csv/ },
  {
    prompt: "In which file does the word TODO stand in a comment? Search for it.",
    steps: [[search(/todo/i)]],
    says: /greet\.ts/,
  },
  {
    prompt: "Use run_code to compute 1234 * 5678.",
    steps: [[call("run_code", "code", /1234/)]],
    says: /7[ ,.]?006[ ,.]?652/,
  },
  {
    prompt: "Run code that prints the sum of the numbers from 1 to 100, and tell me the sum.",
    steps: [[{ tool: "run_code" }]],
    says: /5[ ,.]?050/,
  },
  {
    prompt: "Write the text hello into the file greeting.txt.",
    steps: [[call("write_file", "path", /greeting\.txt/)]],
    done: holds("greeting.txt", /hello/i),
  },
  { prompt: "What is the weather in Oslo?", steps: [[call("get_weather", "city", /oslo/i)]], says: /snow|-4/i },
  { prompt: "How warm is it in Rome right now?", steps: [[call("get_weather", "city", /rome/i)]], says: /21/ },
  { prompt: "What is the state of order A-200?", steps: [[call("find_order", "order_id", /A-200/)]], says: /shipped/i },
  {
    prompt: "What is the name of customer C-9?",
    steps: [[call("find_customer", "customer_id", /C-9/)]],
    says: /Marco/,
  },
  {
    prompt: "Who is the customer of order A-200? Look up the order, then the customer, and tell me the name.",
    steps: [[call("find_order", "order_id", /A-200/)], [call("find_customer", "customer_id", /C-7/)]],
    says: /Ingrid/,
  },
  {
    prompt: "In which city does the customer of order A-300 live?",
    steps: [[call("find_order", "order_id", /A-300/)], [call("find_customer", "customer_id", /C-9/)]],
    says: /Rome/,
  },
  {
    prompt: "Find the CSV file, read it, and tell me the price of the fig.",
    steps: [
      [{ tool: "glob" }, { tool: "list_dir" }, search(/fig|csv/), read(/prices/)],
      [read(/prices\.csv/), search(/fig/)],
    ],
    says: /\b8\b/,
  },
  {
    prompt: "Look up where customer C-7 lives, then tell me the weather in that city.",
    steps: [[call("find_customer", "customer_id", /C-7/)], [call("get_weather", "city", /oslo/i)]],
    says: /snow|-4/i,
  },
  {
    prompt: "Read data/config.json and write only its port into port.txt.",
    steps: [[read(/config\.json/)], [call("write_file", "path", /port\.txt/)]],
    done: holds("port.txt", /8421/),
  },
  {
    prompt: "Read data/prices.csv, then use run_code to add up the three prices.",
    steps: [[read(/prices\.csv/)], [call("run_code", "code", /3[\s\S]*5[\s\S]*8/)]],
    says: /\b16\b/,
  },
];
