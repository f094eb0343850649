const token =
  /^[-+(]{0,3}(?:\d+(?:\.\d+)?)?\(?(?:[a-zA-Z]|sin|cos|tan|exp|log|ln|sqrt|pi)?(?:\(?[-+]?\d*[a-z]?\)?)?(?:(?:\^|\*\*)\(?[-+]?\d*[a-z]?\)?)?\)*$/u;
const operator = /^[-+*/^%=]$|^\*\*$/u;

/** A formula among words, such as "3x^2 + 2x - 1" or "(12.5 + 7) / 3": the longest run of terms and operators. */
export function formulaIn(text: string): { readonly start: number; readonly end: number } | undefined {
  let best: { start: number; end: number } | undefined;
  let run: { start: number; end: number; rich: boolean; open: boolean } | undefined;
  const close = () => {
    const value = run && /^[a-zA-Z] ?= ?[-+]?[\d.]+$/u.test(text.slice(run.start, run.end));
    if (run?.rich && !value && (!best || run.end - run.start > best.end - best.start))
      best = { start: run.start, end: run.end };
    run = undefined;
  };
  for (const match of text.matchAll(/\S+/gu)) {
    const said = match[0].replace(/[,;:.?!]+$/u, "");
    const [start, end] = [match.index, match.index + said.length];
    const pieces = said.split(/(?<=[\w)])(?=[-+*/=])|(?<=[-+*/=])(?=[\w(])/u);
    if (operator.test(said)) {
      if (run) run.open = true;
    } else if (
      said !== "" &&
      said !== "a" &&
      said !== "I" &&
      pieces.every((one) => token.test(one) || operator.test(one))
    ) {
      const rich = pieces.length > 1 || /[\^(]|\*\*|\d[a-z]/u.test(said);
      if (!run?.open) close();
      run = run ? { start: run.start, end, rich: true, open: false } : { start, end, rich, open: false };
    } else close();
    if (said.length < match[0].length && run && !run.open) close();
  }
  close();
  return best;
}

/**
 * Such arithmetic as code: "^" is a power to who asks and another operator in code, and so is a zero before a number.
 * Undefined where it would be something else in code, or is a date.
 */
export function codeOf(sum: string): string | undefined {
  if (/\d\s*\(|\)\s*[\d(]|\d{4}-\d\d?-\d/u.test(sum)) return undefined;
  return sum.replace(/\^/gu, "**").replace(/(?<![\d.])0+(?=\d)/gu, "");
}

/** A formula of numbers alone with an operator in it, such as "17 * 23"; a date or a range is none. */
export function arithmeticIn(text: string): { readonly start: number; readonly end: number } | undefined {
  const found = formulaIn(text);
  const said = found && text.slice(found.start, found.end);
  if (said === undefined || !/^[-+*/^%().\d\s]+$/u.test(said)) return undefined;
  const spaced = /\d\)*\s+(?:[-+*/^%]|\*\*)\s+[-+(\d]/u.test(said);
  return spaced || /\d\)*(?:[+*^%]|\*\*)[(\d]/u.test(said) ? found : undefined;
}
