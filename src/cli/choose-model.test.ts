import { expect, test } from "vitest";
import { chooseModel } from "./choose-model.ts";

const nobody = async () => undefined;
const never = async () => {
  throw new Error("Ollama was asked");
};

test("what was named wins over everything, and nobody is asked", async () => {
  const env = { RONDO_MODEL: "a/b", ANTHROPIC_API_KEY: "k" };
  expect(await chooseModel("offline", env, never)).toEqual({ model: "offline", why: "--model", env });
});

test("RONDO_MODEL wins over keys", async () => {
  expect(await chooseModel(undefined, { RONDO_MODEL: "a/b", OPENAI_API_KEY: "k" }, never)).toMatchObject({
    model: "a/b",
    why: "RONDO_MODEL",
  });
});

test("an agent's own model is under --model and over everything else", async () => {
  const env = { RONDO_MODEL: "a/b", OPENAI_API_KEY: "k" };
  expect(await chooseModel(undefined, env, never, "c/d")).toMatchObject({ model: "c/d", why: "the agent's own" });
  expect(await chooseModel("e/f", env, never, "c/d")).toMatchObject({ model: "e/f", why: "--model" });
});

test.each([
  ["ANTHROPIC_API_KEY", "anthropic/"],
  ["OPENAI_API_KEY", "openai/"],
  ["GOOGLE_GENERATIVE_AI_API_KEY", "google/"],
  ["GEMINI_API_KEY", "google/"],
  ["AWS_BEARER_TOKEN_BEDROCK", "bedrock/"],
])("%s stands for a model of its provider, and is not shown", async (variable, prefix) => {
  const choice = await chooseModel(undefined, { [variable]: "sk-1234567890" }, never);
  expect(String(choice.model).startsWith(prefix)).toBe(true);
  expect(choice.why).toBe(`${variable} is set`);
});

test("the first key in order wins; empty variables count as not set", async () => {
  const both = { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" };
  expect((await chooseModel(undefined, both, never)).model).toMatch(/^anthropic\//);
  const empty = { RONDO_MODEL: "", ANTHROPIC_API_KEY: "", OPENAI_API_KEY: "k" };
  expect((await chooseModel(undefined, empty, never)).model).toMatch(/^openai\//);
});

test("then Ollama, then offline", async () => {
  expect(await chooseModel(undefined, {}, async () => "qwen3:4b")).toMatchObject({ model: "ollama/qwen3:4b" });
  expect(await chooseModel(undefined, {}, nobody)).toMatchObject({ model: "offline" });
});

test("a key of Google under its other name reaches the package", async () => {
  const choice = await chooseModel("google/x", { GEMINI_API_KEY: "k" }, never);
  expect(choice.env.GOOGLE_GENERATIVE_AI_API_KEY).toBe("k");
});

test("the Ollama that was found is the one that is asked", async () => {
  const choice = await chooseModel(undefined, { OLLAMA_HOST: "elsewhere:1" }, async () => "m");
  expect(choice.env.OLLAMA_HOST).toBe("http://127.0.0.1:11434");
});
