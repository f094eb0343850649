import { shownSize } from "./shown-size.ts";

/** Tells how far a download is. */
export type Progress = {
  readonly tell: (bytes: number, total: number | undefined) => void;
  /** Leaves the line that is written over and over. */
  readonly end: () => void;
};

type Stream = { readonly isTTY?: boolean; write(text: string): unknown };

/** On a terminal one line, written anew each time it would read otherwise; elsewhere a plain line per tenth of the whole. */
export function progressLine(stream: Stream): Progress {
  let shown = "";
  return {
    tell(bytes, total) {
      const text = stream.isTTY === true ? progressText(bytes, total, 1) : progressText(bytes, total, 10);
      if (text === shown) return;
      shown = text;
      stream.write(stream.isTTY === true ? `\r\u001b[K${text}` : `${text}\n`);
    },
    end() {
      if (stream.isTTY === true && shown !== "") stream.write("\n");
    },
  };
}

/** In steps of this many per cent; of a whole that is not known, in steps of 100 MB (10 MB for a step of 1). */
function progressText(bytes: number, total: number | undefined, step: number): string {
  if (total === undefined || total === 0) return `${shownSize(Math.floor(bytes / (step * 1e7)) * step * 1e7)} came`;
  const percent = Math.floor((bytes / total) * (100 / step)) * step;
  return `${percent} % of ${shownSize(total)}`;
}
