/** The options of `rondo models`, as they are spelled, with what they do. */
export const modelsOptionTable: readonly (readonly [spelling: string, description: string])[] = [
  ["--sha256 <digits>", "add: checksum that the file must have; needed for a URL"],
  ["--no-checksum", "add: take what the server sends without a checksum"],
  ["--name <name>", "add: what to call it. Default: the last part of the address"],
  ["--force", "add: replace the model of that name"],
];

export const modelsExamples: readonly string[] = [
  "  $ rondo models",
  "  $ rondo models add https://example.com/small.gguf --sha256 9f86d0…",
  "  $ rondo models add ./small.gguf --name small",
  '  $ rondo run --model local/small "What is in notes.txt?"',
  "  $ rondo models remove small",
];

export const modelsNotes: readonly { readonly title: string; readonly body: string }[] = [
  {
    title: "Models",
    body: [
      "  GGUF files, for --model local/<name>; they run in this process with the package node-llama-cpp. A URL is downloaded",
      "  to $XDG_DATA_HOME/rondo/models (~/.local/share/rondo/models), and goes on where it was interrupted when it is added",
      "  again. A path is only named: the file stays where it is, and remove leaves it there.",
    ].join("\n"),
  },
];
