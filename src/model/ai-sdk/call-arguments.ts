import { isJson } from "../../message/json.ts";

/**
 * The arguments of one call while they stream. Some providers send all that came so far with each piece, or once more as
 * a last piece, which to append would double. But a piece that begins with all before it may be a plain one as well
 * (`{"a":` twice is the start of nested objects), and only the end tells: so such pieces are held until then, or until a
 * piece comes that continues nothing.
 */
export type CallArguments = {
  /** Takes a piece; gives what is to be told of it now. */
  push(delta: string): string;
  /** Whether nothing came yet. */
  isEmpty(): boolean;
  /**
   * Ends the arguments. `final` is the provider's own last word, if it gave one. `rest` is what is still to be told, `text`
   * what holds: the last word, unless that is unreadable or empty while what streamed is not.
   */
  end(final?: string): { readonly rest: string; readonly text: string };
};

/** A piece costs what it is long, whatever came before. */
export function callArguments(): CallArguments {
  /** All pieces one behind the other. */
  let plain = "";
  /** The same if pieces that repeat all before them stand in its place. */
  let whole = "";
  let told = 0;
  let repeats = false;

  const streamed = (): string => (repeats && !isJson(plain) && isJson(whole) ? whole : plain);

  const chosen = (final: string | undefined): string => {
    const text = streamed();
    if (final === undefined || final === plain) return text;
    if (isEmpty(final)) return isEmpty(text) ? final : text;
    return !isJson(final) && isJson(text) ? text : final;
  };

  return {
    push(delta) {
      if (delta === "") return "";
      if (isBare(plain) && delta.trimStart()[0] === "{") {
        plain = "";
        whole = "";
        told = 0;
        repeats = false;
      }
      if (whole !== "" && delta.length >= whole.length && delta.startsWith(whole)) {
        plain += delta;
        whole = delta;
        repeats = true;
        return "";
      }
      plain += delta;
      whole = plain;
      if (told === 0 && isBare(plain)) return "";
      const news = repeats || (told === 0 && plain !== delta) ? plain.slice(told) : delta;
      repeats = false;
      told = plain.length;
      return news;
    },
    isEmpty: () => plain === "",
    end(final) {
      const text = chosen(final);
      const goesOn = text.length > told && text.startsWith(plain.slice(0, told));
      return { rest: goesOn ? text.slice(told) : "", text };
    },
  };
}

const isEmpty = (text: string): boolean => text.length < 10 && /^\s*(\{\s*\}\s*)?$/.test(text);
const isBare = (text: string): boolean => text !== "" && isEmpty(text) && text.includes("{");
