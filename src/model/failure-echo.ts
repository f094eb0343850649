/** Where servers put what was sent to them beside what is wrong with it. */
const echoes = new Set([
  ...["input", "inputs", "ctx", "body", "request", "params", "payload", "value", "given"],
  ...["prompt", "messages", "contents", "content", "system", "tools", "data", "choices", "candidates", "delta"],
]);

/**
 * The words of a body that has neither code nor message where one would look for them, without what it echoes of the
 * request: that may say anything.
 */
export function wordsBeside(body: string): string {
  try {
    const texts: string[] = [];
    gather(JSON.parse(body), texts, 0);
    return texts.join(" ");
  } catch {
    // Cut, or no JSON.
    return unechoed(body.slice(0, maxChars));
  }
}

const maxChars = 20_000;

/** More texts, or texts further in, are no words of an error. */
const maxTexts = 50;
const maxDepth = 5;

function gather(value: unknown, texts: string[], depth: number): void {
  if (texts.length >= maxTexts || depth > maxDepth) return;
  if (typeof value === "string") texts.push(value.slice(0, 1_000));
  else if (Array.isArray(value)) for (const one of value) gather(one, texts, depth + 1);
  else if (typeof value === "object" && value !== null)
    for (const [name, one] of Object.entries(value)) if (!echoes.has(name)) gather(one, texts, depth + 1);
}

/**
 * A text without what it quotes of the request: servers in Python write their whole errors, inputs and all, into one
 * message (`[{'type': …, 'msg': …, 'input': …}]`, `[type=…, input_value=…]`).
 */
export function unechoed(text: string): string {
  return text.replace(/[,{(]\s*(['"])(?:input|ctx|body)\1\s*:.*/s, "").replaceAll(/\binput_value=.*/g, "");
}
