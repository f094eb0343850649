/** Gives each document of a history a name that no other one has. */
export type DocumentNames = (given: string | undefined) => string;

const maxLength = 190;

/**
 * Names as Bedrock takes them: letters, digits, single spaces, hyphens, parentheses and brackets, and each only once in all messages of a
 * request (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html). They are given in the order of
 * the history, so that the same document has the same name in every round.
 */
export function documentNames(): DocumentNames {
  const taken = new Set<string>();
  return (given = "") => {
    const plain = legal(given) || "document";
    let name = plain;
    for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${plain}-${n}`;
    taken.add(name.toLowerCase());
    return name;
  };
}

/** Without its extension, which the format says. */
const legal = (name: string): string =>
  name
    .replace(/\.[^.]*$/, "")
    .replaceAll(/[^A-Za-z0-9()[\]-]+/g, " ")
    .trim()
    .slice(0, maxLength)
    .trim();
