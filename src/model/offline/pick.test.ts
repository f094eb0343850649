import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../message/json.ts";
import { builtIns, call, converse, userTools } from "./offline.fixture.ts";

describe("one step over the built-in tools", () => {
  test.each<[string, string, JsonObject?]>([
    ["Read src/error.ts", "read_file", { path: "src/error.ts" }],
    ["Show me the first 20 lines of README.md", "read_file", { path: "README.md", limit: 20 }],
    ["Read package.json from line 10", "read_file", { path: "package.json", offset: 10 }],
    ["Show lines 5 to 15 of src/error.ts", "read_file", { path: "src/error.ts", offset: 5, limit: 11 }],
    ["Please print the head of src/model/model.ts.", "read_file", { path: "src/model/model.ts", limit: 20 }],
    ["What does tsconfig.json contain?", "read_file", { path: "tsconfig.json" }],
    ["Could you please show me README.md?", "read_file", { path: "README.md" }],
    ["List the files in src/model", "list_dir", { path: "src/model" }],
    ["What is in the docs folder?", "list_dir", { path: "docs" }],
    ["What files are in src/loop?", "list_dir", { path: "src/loop" }],
    ["List the current directory", "list_dir"],
    ["Find all TypeScript files", "glob", { pattern: "**/*.ts" }],
    ["Which files match src/**/*.test.ts?", "glob", { pattern: "src/**/*.test.ts" }],
    ["Find files named package.json", "glob", { pattern: "**/package.json" }],
    ["Find markdown files in docs", "glob", { pattern: "**/*.md", path: "docs" }],
    ["Where is package.json?", "glob", { pattern: "**/package.json" }],
    ["Use glob with pattern src/*.ts", "glob", { pattern: "src/*.ts" }],
    ['Search for "TODO" in src', "grep", { pattern: "TODO", path: "src" }],
    ["Search for hello world in the TypeScript files", "grep", { pattern: "hello world", glob: "**/*.ts" }],
    ["Where is canonicalJson defined?", "grep", { pattern: "canonicalJson" }],
    ["Which files mention RondoError?", "grep", { pattern: "RondoError", output: "files" }],
    [
      'How many times does "export" occur in src/**/*.ts?',
      "grep",
      { pattern: "export", glob: "src/**/*.ts", output: "count" },
    ],
    [
      'Search case-insensitively for "todo" in src with 2 lines of context',
      "grep",
      { pattern: "todo", path: "src", ignore_case: true, context: 2 },
    ],
    ['grep "^import" in src/error.ts', "grep", { pattern: "^import", path: "src/error.ts" }],
    ['Search for "a(b" in src', "grep", { pattern: "a\\(b", path: "src" }],
    [
      "Count the lines of the files matching src/**/*.ts",
      "grep",
      { pattern: "^", glob: "src/**/*.ts", output: "count" },
    ],
    ["How many lines does src/error.ts have?", "grep", { pattern: "^", path: "src/error.ts", output: "count" }],
    ["Which file in src is the longest?", "grep", { pattern: "^", path: "src", output: "count", max: 2000 }],
    [
      'Look for "Stripe" in all markdown files, ignoring case',
      "grep",
      { pattern: "Stripe", glob: "**/*.md", ignore_case: true },
    ],
  ])("%j", async (request, name, args) => {
    expect((await converse(request)).calls).toEqual([call(name, args)]);
  });
});

describe("one step over tools of a user", () => {
  test.each<[string, string, JsonObject]>([
    ["What's the weather in Paris?", "get_weather", { city: "Paris" }],
    ["weather in berlin in fahrenheit", "get_weather", { city: "berlin", unit: "fahrenheit" }],
    ["Get the weather for New York in celsius", "get_weather", { city: "New York", unit: "celsius" }],
    ["I'm in Berlin. What's the weather?", "get_weather", { city: "Berlin" }],
    ["get_weather city=Oslo", "get_weather", { city: "Oslo" }],
    ["Convert 100 USD to EUR", "convert_currency", { amount: 100, from: "USD", to: "EUR" }],
    ["Convert 12.5 euros to dollars", "convert_currency", { amount: 12.5, from: "EUR", to: "USD" }],
    ["What is the status of order A-1001?", "order_status", { order_id: "A-1001" }],
    [
      'Send an email to bob@example.org saying "See you at 5"',
      "send_email",
      { to: "bob@example.org", body: "See you at 5" },
    ],
    [
      'Email ann@example.org with subject "Hi" and body "All well"',
      "send_email",
      { to: "ann@example.org", subject: "Hi", body: "All well" },
    ],
    ["Turn on the light in the kitchen", "set_light", { room: "kitchen", on: true }],
    ["Switch off the living room light", "set_light", { room: "living room", on: false }],
    ["Turn the bedroom light on with brightness 40", "set_light", { room: "bedroom", on: true, brightness: 40 }],
  ])("%j", async (request, name, args) => {
    expect((await converse(request)).calls).toEqual([call(name, args)]);
  });
});

describe("nothing is picked", () => {
  test.each([
    "Tell me a joke",
    "Tell me a joke about files",
    "Write a poem about files",
    "What is the capital of France?",
    "List three reasons to be happy",
    "What time is it?",
    "Explain how the loop works",
    "Summarise the project",
    "Book a flight to Rome",
    "Order a pizza",
    "Thanks, that's all",
    "What's the weather?",
    "Read it",
    "asdf qwer",
    "Wie geht es dir?",
    "Hello!",
    "",
  ])("%j", async (request) => {
    expect((await converse(request)).calls).toEqual([]);
  });

  test.each([
    "Delete src/error.ts",
    "Rename src/error.ts to src/errors.ts",
    'Create a file notes.txt saying "hi"',
    "How do I send an email to bob@example.org?",
    'Don\'t send an email to bob@example.org saying "hi"',
    'If it rains, send an email to bob@example.org saying "rain"',
    'Send an email to bob@example.org saying "rain" if it rains',
    'What is the email of bob@example.org, "Bob"?',
    "The kitchen light is on",
    "Is the bedroom light off?",
  ])("no change on a guess: %j", async (request) => {
    expect((await converse(request)).calls).toEqual([]);
  });

  test("the answer says so, names the tools and says who speaks", async () => {
    const { text } = await converse("Tell me a joke", undefined, { tools: builtIns });
    expect(text).toContain('I found nothing to pick for "Tell me a joke".');
    for (const { name } of builtIns) expect(text).toContain(`- ${name}: `);
    expect(text).toContain("I am not a language model");
    expect(text).toContain("RONDO_MODEL");
    expect(text).toContain("--model");
  });

  test("what is missing is named", async () => {
    expect((await converse("What's the weather?")).text).toContain("get_weather would fit, but I could not tell city");
  });

  test("two tools that fit alike", async () => {
    const twin = { ...userTools[0]!, name: "get_weather2" };
    const { calls, text } = await converse("What's the weather in Paris?", undefined, {
      tools: [{ ...userTools[0]!, name: "get_weather1" }, twin],
    });
    expect(calls).toEqual([]);
    expect(text).toContain("get_weather1 and get_weather2 fit equally well");
  });

  test("no tools at all", async () => {
    const { calls, text } = await converse("Read src/error.ts", undefined, { tools: [] });
    expect(calls).toEqual([]);
    expect(text).toContain("There are no tools in this request.");
    expect(text).toContain("I am not a language model");
  });
});
