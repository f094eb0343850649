import type { ModelRequest } from "../../src/model/model.ts";

/** Every choice that a request can make among the tools a, b and c. */
export const choices = [
  { name: "auto", request: { toolChoice: "auto" } },
  { name: "required", request: { toolChoice: "required" } },
  { name: "none", request: { toolChoice: "none" } },
  { name: "one", request: { toolChoice: { type: "function", names: ["b"] } } },
  { name: "several", request: { toolChoice: { type: "function", names: ["a", "b"] } } },
  { name: "auto, one call", request: { toolChoice: "auto", parallelToolCalls: false } },
  { name: "required, one call", request: { toolChoice: "required", parallelToolCalls: false } },
  {
    name: "several, one call",
    request: { toolChoice: { type: "function", names: ["a", "b"] }, parallelToolCalls: false },
  },
  { name: "one, one call", request: { toolChoice: { type: "function", names: ["b"] }, parallelToolCalls: false } },
  { name: "none, one call", request: { toolChoice: "none", parallelToolCalls: false } },
] as const satisfies readonly { name: string; request: Partial<ModelRequest> }[];

type ChoiceName = (typeof choices)[number]["name"];

/** What the server receives for a choice, which tools it is shown (all, when absent), and what is warned of. */
type Sent = { readonly choice: object; readonly shown?: readonly string[]; readonly warns?: readonly string[] };
type Row = (choice: ChoiceName, later: boolean) => Sent;

const of =
  (table: { readonly [choice in ChoiceName]: Sent | object }): Row =>
  (choice) => {
    const sent = table[choice];
    return "choice" in sent ? (sent as Sent) : { choice: sent };
  };

const chatName = { type: "function", function: { name: "b" } };
const allowedInChat = {
  type: "allowed_tools",
  allowed_tools: { mode: "required", tools: ["a", "b"].map((name) => ({ type: "function", function: { name } })) },
};
const severalAsRequired = ['The choice of a, b was sent as "required"'];

const chat = of({
  auto: { tool_choice: "auto" },
  required: { tool_choice: "required" },
  none: { tool_choice: "none" },
  one: { tool_choice: chatName },
  several: { tool_choice: allowedInChat },
  "auto, one call": { tool_choice: "auto", parallel_tool_calls: false },
  "required, one call": { tool_choice: "required", parallel_tool_calls: false },
  "several, one call": { tool_choice: allowedInChat, parallel_tool_calls: false },
  "one, one call": { tool_choice: chatName, parallel_tool_calls: false },
  "none, one call": { tool_choice: "none", parallel_tool_calls: false },
});

/** Servers of unknown make are sent nothing that OpenAI alone is known to take. */
const compatible: Row = (choice, later) =>
  choice.startsWith("several")
    ? { ...chat(choice.replace("several", "required") as ChoiceName, later), warns: severalAsRequired }
    : chat(choice, later);

const oneInResponses = { type: "function", name: "b" };
const allowed = { mode: "required", tools: ["a", "b"].map((name) => ({ type: "function", name })) };
const responses = of({
  auto: { tool_choice: "auto" },
  required: { tool_choice: "required" },
  none: { tool_choice: "none" },
  one: { tool_choice: oneInResponses },
  several: { tool_choice: { type: "allowed_tools", ...allowed } },
  "auto, one call": { tool_choice: "auto", parallel_tool_calls: false },
  "required, one call": { tool_choice: "required", parallel_tool_calls: false },
  "several, one call": { tool_choice: { type: "allowed_tools", ...allowed }, parallel_tool_calls: false },
  "one, one call": { tool_choice: oneInResponses, parallel_tool_calls: false },
  "none, one call": { tool_choice: "none", parallel_tool_calls: false },
});

const alone = { disable_parallel_tool_use: true };
const anthropic = of({
  auto: { tool_choice: { type: "auto" } },
  required: { tool_choice: { type: "any" } },
  none: { tool_choice: { type: "none" } },
  one: { tool_choice: { type: "tool", name: "b" } },
  several: { choice: { tool_choice: { type: "any" } }, warns: severalAsRequired },
  "auto, one call": { tool_choice: { type: "auto", ...alone } },
  "required, one call": { tool_choice: { type: "any", ...alone } },
  "several, one call": { choice: { tool_choice: { type: "any", ...alone } }, warns: severalAsRequired },
  "one, one call": { tool_choice: { type: "tool", name: "b", ...alone } },
  "none, one call": { tool_choice: { type: "none" } },
});

const mode = (name: string, more: object = {}) => ({ functionCallingConfig: { mode: name, ...more } });
const oneCallWarned = ["cannot be asked for one call a round"];
const gemini = of({
  auto: mode("AUTO"),
  required: mode("ANY"),
  none: mode("NONE"),
  one: mode("ANY", { allowedFunctionNames: ["b"] }),
  several: mode("ANY", { allowedFunctionNames: ["a", "b"] }),
  "auto, one call": { choice: mode("AUTO"), warns: oneCallWarned },
  "required, one call": { choice: mode("ANY"), warns: oneCallWarned },
  "several, one call": { choice: mode("ANY", { allowedFunctionNames: ["a", "b"] }), warns: oneCallWarned },
  "one, one call": { choice: mode("ANY", { allowedFunctionNames: ["b"] }), warns: oneCallWarned },
  "none, one call": { choice: mode("NONE"), warns: oneCallWarned },
});

/** "none" is unknown there: the tools go, but once calls are in the history they have to stay. */
const noneKept = ['has no choice "none"'];
const noneOnBedrock = (later: boolean): Sent =>
  later ? { choice: { toolChoice: { auto: {} } }, warns: noneKept } : { choice: {}, shown: [] };

const others = ["is shown no other tool while b is forced"];
const nova: Row = (choice, later) => {
  const warned = choice.endsWith(", one call") ? oneCallWarned : [];
  const plain = choice.replace(", one call", "");
  const sent: Sent =
    plain === "none"
      ? noneOnBedrock(later)
      : plain === "one"
        ? { choice: { toolChoice: { tool: { name: "b" } } }, shown: ["b"], warns: others }
        : plain === "auto"
          ? { choice: { toolChoice: { auto: {} } } }
          : { choice: { toolChoice: { any: {} } }, warns: plain === "several" ? severalAsRequired : [] };
  return { ...sent, warns: [...(sent.warns ?? []), ...warned] };
};

const unforced = (what: string) => [`cannot be made to call a tool: the choice of ${what} was sent as "auto"`];
/** Of other makers' models nothing but "auto" is taken there, and of Mistral's no name. */
const onBedrock =
  (any: boolean): Row =>
  (choice, later) => {
    const [plain = "", one] = choice.split(",");
    if (plain === "auto" || plain === "none") return nova(choice, later);
    const names = plain === "one" ? "b" : "a, b";
    const said = plain === "required" ? '"required"' : names;
    const warned = any
      ? plain === "required"
        ? []
        : [`The choice of ${names} was sent as "required"`]
      : unforced(said);
    return {
      choice: { toolChoice: any ? { any: {} } : { auto: {} } },
      warns: [...warned, ...(one === undefined ? [] : oneCallWarned)],
    };
  };

const own = (tool_choice: object) => ({ additionalModelRequestFields: { tool_choice } });
const bedrockClaude: Row = (choice, later) => {
  if (choice === "none") return noneOnBedrock(later);
  if (choice === "none, one call") {
    return later ? { choice: own({ type: "auto", ...alone }), warns: noneKept } : noneOnBedrock(false);
  }
  return of({
    auto: { toolChoice: { auto: {} } },
    required: { toolChoice: { any: {} } },
    none: {},
    one: own({ type: "tool", name: "b" }),
    several: { choice: { toolChoice: { any: {} } }, warns: severalAsRequired },
    "auto, one call": own({ type: "auto", ...alone }),
    "required, one call": own({ type: "any", ...alone }),
    "several, one call": { choice: own({ type: "any", ...alone }), warns: severalAsRequired },
    "one, one call": own({ type: "tool", name: "b", ...alone }),
    "none, one call": {},
  })(choice, later);
};

/** By the name of the wire. */
export const rows: { readonly [wire: string]: Row } = {
  "OpenAI chat": chat,
  "Azure chat": chat,
  "OpenAI-compatible": compatible,
  Ollama: compatible,
  "OpenAI Responses": responses,
  Azure: responses,
  Anthropic: anthropic,
  Gemini: gemini,
  Bedrock: nova,
  "Bedrock Claude": bedrockClaude,
  "Bedrock Llama": onBedrock(false),
  "Bedrock Mistral": onBedrock(true),
};

type Thinking = { readonly name: string; readonly request: Partial<ModelRequest>; readonly choice: object };
const budget = { type: "enabled", budgetTokens: 2_048 };

/** Ways to make a Claude think, and the choice that is sent then. */
export const thinking: { readonly [wire: string]: readonly Thinking[] } = {
  Anthropic: [
    { name: "by effort", request: { effort: "high" }, choice: { tool_choice: { type: "auto" } } },
    {
      name: "by the caller's options",
      request: { providerOptions: { anthropic: { thinking: budget } } },
      choice: { tool_choice: { type: "auto" } },
    },
  ],
  "Bedrock Claude": [
    { name: "by effort", request: { effort: "high" }, choice: { toolChoice: { auto: {} } } },
    {
      name: "by the caller's options",
      request: { providerOptions: { bedrock: { reasoningConfig: budget } } },
      choice: { toolChoice: { auto: {} } },
    },
  ],
};
