const names = "january february march april may june july august september october november december".split(" ");
const month = `(?:${names.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join("|")}|sept)`;

/** How days are written: 2026-03-05, 2026/03/05, 03/05/2026, March 5th 2026, 5 March 2026. */
export const datePatterns: readonly RegExp[] = [
  /\b\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?\b/gu,
  /\b\d{4}\/\d{1,2}\/\d{1,2}\b/gu,
  /\b\d{1,2}[/.-]\d{1,2}[/.-]\d{4}\b/gu,
  new RegExp(`\\b${month}\\.? \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}\\b`, "giu"),
  new RegExp(`\\b\\d{1,2}(?:st|nd|rd|th)? (?:of )?${month}\\.?,? \\d{4}\\b`, "giu"),
];

/** The day as YYYY-MM-DD; what is so already, or is none, comes back as it is. */
export function isoDate(said: string): string {
  if (/^\d{4}-/u.test(said)) return said;
  const numbers = (said.match(/\d+/gu) ?? []).map(Number);
  const [a = 0, b = 0, c = 0] = numbers;
  const word = /\p{L}{3,}/u
    .exec(said.replace(/\d+(?:st|nd|rd|th)/giu, ""))?.[0]
    .slice(0, 3)
    .toLowerCase();
  const named = names.findIndex((name) => word !== undefined && name.startsWith(word)) + 1;
  if (numbers.length === 2 && named > 0) return written(b, named, a);
  if (numbers.length !== 3) return said;
  if (a > 31) return written(a, b, c);
  return a > 12 ? written(c, b, a) : written(c, a, b);
}

/** A day as a description wants it: "MM-DD-YYYY", "DD/MM/YYYY", "YYYY/MM/DD"; else as it is. */
export function dateFor(iso: string, description: string): string {
  const [, year, monthOf, day] = /^(\d{4})-(\d{2})-(\d{2})$/u.exec(iso) ?? [];
  const form = /\b(?:YYYY|MM|DD)[-/.](?:MM|DD)[-/.](?:YYYY|DD)\b/u.exec(description)?.[0];
  if (year === undefined || monthOf === undefined || day === undefined || form === undefined) return iso;
  return form.replace("YYYY", year).replace("MM", monthOf).replace("DD", day);
}

function written(year: number, monthOf: number, day: number): string {
  return `${year}-${String(monthOf).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}
