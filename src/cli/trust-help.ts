/** The options of `rondo trust`, as they are spelled, with what they do. */
export const trustOptionTable: readonly (readonly [spelling: string, description: string])[] = [
  ["--sha256 <digits>", "Trust just this, without being asked; rondo trust shows the digits"],
  ["--revoke", "Trust it no more"],
];

export const trustExamples: readonly string[] = [
  "  $ rondo trust",
  "  $ rondo trust ../shop --sha256 9f86d0…",
  "  $ rondo trust --revoke",
];

export const trustNotes: readonly { readonly title: string; readonly body: string }[] = [
  {
    title: "Trust",
    body: [
      "  Modules in a project's rondo.config.json run with all your rights, and a model there may be anybody's server: none of",
      "  it is used before you have said that you trust it. That holds for the file and its modules as they are now; when",
      "  one of them changes, you are asked again. It is kept in your own file, ~/.config/rondo/config.json.",
    ].join("\n"),
  },
];
