import type { Feed } from "./fill.ts";
import { pick, type Verdict } from "./pick.ts";
import type { Menu } from "./profile.ts";
import { partOf, type Reading } from "./reading.ts";

const most = 6;

/**
 * A clause that lacks something may find it in others that ask for nothing themselves: "I am in Berlin. How is the
 * weather?" Tried with each of them, then with all.
 */
export function joined(
  menu: Menu,
  reading: Reading,
  verdict: Verdict,
  all: readonly Reading[],
  feed: Feed,
): { readonly verdict: Verdict; readonly told: readonly Reading[] } {
  // What it hands on is the result of the clause before, not a word of another.
  if (verdict.kind !== "missing" || reading.hands) return { verdict, told: [] };
  const at = all.indexOf(reading);
  const near = all
    .filter((other) => other !== reading && !other.clause.barred)
    .sort((a, b) => Math.abs(all.indexOf(a) - at) - Math.abs(all.indexOf(b) - at))
    .slice(0, most);
  const idle = near.filter((other) => pick(menu, other, feed).kind === "nothing");
  const inOrder = all.filter((other) => idle.includes(other));
  for (const others of [...idle.map((one) => [one]), ...(idle.length > 1 ? [inOrder] : [])]) {
    const text = others.map((other) => `(${other.text})`).join(" ");
    const again = pick(menu, partOf(reading, `${reading.text} ${text}`), feed);
    if (again.kind === "call" && again.name === verdict.name) return { verdict: again, told: others };
  }
  return { verdict, told: [] };
}
