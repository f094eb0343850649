/** Lets text through as it comes, but holds back what may turn out to be a call. */
export type TextGate = {
  /** What may be told of this piece and of those held before. */
  pass(piece: string): string;
  /** Something that may be a call is held back. */
  readonly holds: boolean;
  /** What is held back. */
  readonly held: string;
  /** What is held back, which is let go by that. */
  rest(): string;
};

/** A line that begins so may be the first of a call. */
const suspicious = /\n[ \t]*(?:```|\{|\[|<)/;
/** Of the last line nothing is said yet but blanks or the beginning of a fence. */
const undecided = /\n\s*`{0,2}$/;

/** A gate for one reply. Each piece is looked at once, together with the blanks before it. */
export function textGate(): TextGate {
  let held: string[] = [];
  let holding = false;
  let blanks = "";
  let atLineStart = true;
  return {
    pass(piece) {
      if (holding) {
        held.push(piece);
        return "";
      }
      const text = blanks + piece;
      const marked = `${atLineStart ? "\n" : " "}${text}`;
      const begin = suspicious.exec(marked);
      const open = begin ?? undecided.exec(marked);
      const told = open === null ? text : text.slice(0, Math.max(0, open.index - 1));
      const kept = text.slice(told.length);
      if (begin !== null) {
        holding = true;
        held.push(kept);
      } else {
        blanks = kept;
        atLineStart = open?.index === 0;
      }
      return told;
    },
    get holds() {
      return holding;
    },
    get held() {
      return holding ? held.join("") : blanks;
    },
    rest() {
      const text = this.held;
      held = [];
      holding = false;
      blanks = "";
      return text;
    },
  };
}
