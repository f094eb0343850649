/** How known kinds of binary files begin, as Latin-1 text. */
const beginnings: readonly (readonly [string, string])[] = [
  ["\x89PNG", "a PNG image"],
  ["\xff\xd8\xff", "a JPEG image"],
  ["GIF8", "a GIF image"],
  ["%PDF", "a PDF document"],
  ["PK\x03\x04", "a ZIP archive or office document"],
  ["\x1f\x8b", "a gzip archive"],
  ["BZh", "a bzip2 archive"],
  ["\xfd7zXZ", "an xz archive"],
  ["\x28\xb5\x2f\xfd", "a zstd archive"],
  ["7z\xbc\xaf", "a 7z archive"],
  ["\x7fELF", "a program or library (ELF)"],
  ["MZ", "a Windows program"],
  ["\xca\xfe\xba\xbe", "Java or Mach-O code"],
  ["\xcf\xfa\xed\xfe", "Mach-O code"],
  ["\0asm", "WebAssembly"],
  ["SQLite format 3", "an SQLite database"],
  ["wOFF", "a web font"],
  ["wOF2", "a web font"],
  ["\xff\xfe", "UTF-16 text"],
  ["\xfe\xff", "UTF-16 text"],
];

/** A NUL byte among the first 8 KB makes a file binary. */
export function isBinary(head: Uint8Array): boolean {
  return head.subarray(0, 8192).includes(0);
}

/** What kind of binary file begins like this, as far as one can tell. */
export function binaryKind(head: Uint8Array): string {
  const text = Buffer.from(head.subarray(0, 16)).toString("latin1");
  if (text.startsWith("RIFF")) return text.slice(8, 12) === "WEBP" ? "a WebP image" : "sound or video";
  if (text.slice(4, 8) === "ftyp") return "a video or image";
  return beginnings.find(([beginning]) => text.startsWith(beginning))?.[1] ?? "of unknown kind";
}
