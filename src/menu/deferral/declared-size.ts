import type { MenuTool } from "../entry.ts";

/** Characters that a token is counted for; what a tokenizer makes of JSON Schema is near that. */
const charsPerToken = 4;

const sizes = new WeakMap<object, number>();

/** About how many tokens a tool's declaration takes; reckoned once. */
export function declaredTokens({ declaration }: MenuTool): number {
  const known = sizes.get(declaration);
  if (known !== undefined) return known;
  const { name, description, parameters } = declaration;
  const size = Math.ceil(JSON.stringify({ name, description, parameters }).length / charsPerToken);
  sizes.set(declaration, size);
  return size;
}
