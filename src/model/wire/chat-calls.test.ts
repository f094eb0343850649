import { expect, test } from "vitest";
import { type CallPiece, chatCalls } from "./chat-calls.ts";
import type { WireNotes } from "./notes.ts";

/** So many that reading all that came before with each of them would take hours. */
const many = 200_000;

/** What goes on of a call whose pieces are these, and what was noted. */
function routed(begin: CallPiece, piece: (at: number) => CallPiece) {
  const notes: WireNotes = { warnings: [], lost: false };
  const calls = chatCalls(notes, "unnamed");
  const texts: unknown[] = [calls.route(begin)?.function?.arguments];
  const indexes = new Set<unknown>();
  for (let at = 0; at < many; at++) {
    const gone = calls.route(piece(at));
    texts.push(gone?.function?.arguments);
    indexes.add(gone?.index);
  }
  return { length: texts.join("").length, indexes: [...indexes] };
}

const named = { index: 0, id: "A" };
const looksWhole = "{abcdefghijklmnopqr}";

test.each<[string, string, CallPiece, CallPiece]>([
  ["pieces that look like objects", looksWhole, named, { index: 0 }],
  ["pieces that look like objects, with id and name", looksWhole, named, named],
  ["id and name with each piece", "abcdefghijklmnopqrst", named, named],
  ["no index", looksWhole, named, {}],
  ["another index than the call's", looksWhole, named, { index: 7 }],
  ["a new object begins with each piece", "{{}", named, named],
  ["an object closes in each piece", '"}"}', named, { index: 0 }],
])("%s: one call, however many there are", (_, args, begin, more) => {
  const name = more.id === undefined ? undefined : "a";
  const { length, indexes } = routed({ ...begin, function: { name: "a", arguments: '{"t":"' } }, () => ({
    ...more,
    function: { name, arguments: args },
  }));
  expect(indexes).toEqual([0]);
  expect(length).toBe('{"t":"'.length + many * args.length);
});

test("a long call that is whole is not read again for each call or blank behind it", () => {
  const long = JSON.stringify({ t: "x".repeat(2_000_000) });
  const begin = { ...named, function: { name: "a", arguments: long } };
  const blanks = routed(begin, () => ({ ...named, function: { name: "a", arguments: " " } }));
  expect(blanks).toEqual({ length: long.length + many, indexes: [0] });
});

test("a piece without an index costs the same however many calls came before it", () => {
  const notes: WireNotes = { warnings: [], lost: false };
  const calls = chatCalls(notes, "unnamed");
  const begin = (at: number) => calls.route({ id: `call_${at}`, function: { name: "a", arguments: '{"t":' } });
  const end = () => calls.route({ function: { arguments: '"A"}' } });
  let right = 0;
  for (let at = 0; at < many; at++) if (begin(at)?.index === at && end()?.index === at) right += 1;
  expect({ right, lost: notes.lost }).toEqual({ right: many, lost: false });
  begin(many);
  begin(many + 1);
  expect(end()).toBeUndefined();
  expect(notes.lost).toBe(true);
});

test("a call that looks whole and is no JSON has not ended", () => {
  const calls = chatCalls({ warnings: [], lost: false }, "unnamed");
  calls.route({ id: "A", function: { name: "a", arguments: "{no}" } });
  expect(calls.route({ function: { arguments: "more" } })?.index).toBe(0);
  calls.route({ id: "B", function: { name: "a", arguments: '{"t":"B"}' } });
  expect(calls.route({ function: { arguments: "and more" } })?.index).toBe(0);
});
