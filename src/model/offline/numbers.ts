const words = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const sizes: { readonly [word: string]: number } = { hundred: 100, thousand: 1e3, k: 1e3, million: 1e6, billion: 1e9 };

/** Numbers in digits: with thousands separators, a fraction, an exponent, or a word that multiplies. */
export const digits =
  /(?<![\p{L}\d_.^])[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d+\b|\s?[x×*]\s?10\s?\^\s?[-+]?\d+|\s?(?:hundred|thousand|million|billion)\b|k\b)?(?![\d_])/giu;

/** Numbers in words, from two on: "one" mostly is none. */
export const spoken = new RegExp(
  `\\b(?:${[...words.slice(2), ...tens].join("|")})\\b(?:\\s(?:hundred|thousand|million|billion)\\b)?`,
  "giu",
);

/** What a number in digits is, written plainly. */
export function digitsValue(said: string): string {
  const [, base = "0", rest = ""] = /^([-+]?[\d,.]*\d)\s?(.*)$/u.exec(said) ?? [];
  const number = base.replace(/,/g, "");
  if (/^e/iu.test(rest)) return String(Number(number + rest));
  const power = /\^\s?([-+]?\d+)$/u.exec(rest)?.[1];
  if (power !== undefined) return String(Number(`${number}e${power}`));
  const size = sizes[rest.toLowerCase()];
  return size === undefined ? number : String(Number((Number(number) * size).toPrecision(15)));
}

export function spokenValue(said: string): string {
  const [first = "", size = ""] = said.toLowerCase().split(/\s/u);
  const small = words.indexOf(first);
  return String((small >= 0 ? small : (tens.indexOf(first) + 2) * 10) * (sizes[size] ?? 1));
}
