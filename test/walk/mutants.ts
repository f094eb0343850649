import ts from "typescript";

/** A table with one thing broken. The name says what, and stays the same while its line does. */
export type Mutant = { readonly name: string; readonly file: string; readonly source: string };

/** The files that hold the table: its rows, and how records are folded into the state. */
export const tableFiles: readonly string[] = ["decide", "apply", "approved", "pending", "rest", "begin"];

/** A piece of code, and what is put in its place; `as` says it in short where both are long. */
type Change = { readonly node: ts.Node; readonly by: string; readonly as?: string };

/** Strings that mean something to the table, and another of their kind to put in their place. */
const others: { readonly [text: string]: string } = {
  control: "now",
  callback: "inbox",
  inbox: "take",
  steering: "followUps",
  followUps: "take",
  take: "followUps",
  close: "take",
  timeout: "aborted",
  aborted: "timeout",
  length: "stop",
  stuck: "stop",
  error: "stop",
  empty: "stop",
  undecided: "stop",
  cut: "not_allowed",
  not_allowed: "cut",
  skipped: "cut",
  denied: "skipped",
  repeated: "skipped",
  only_first: "skipped",
  problem: "skipped",
  none: "auto",
  auto: "none",
  reask: "round",
  closing: "round",
  round: "reask",
};

const operators: { readonly [operator: string]: readonly string[] } = {
  "===": ["!=="],
  "!==": ["==="],
  "&&": ["||"],
  "||": ["&&"],
  ">=": [">", "<"],
  ">": [">=", "<"],
  "<": ["<=", ">"],
  "<=": ["<", ">"],
  "+": ["-"],
  "-": ["+"],
};

/** Functions from a state to the next: what they do is left out. */
const folds: readonly string[] = ["taken", "drained", "queued"];

/** Every mutant of one of these files. */
export function mutantsOf(file: string, text: string): readonly Mutant[] {
  const source = ts.createSourceFile(`${file}.ts`, text, ts.ScriptTarget.ESNext, true);
  const mutants = new Map<string, Mutant>();
  const add = (what: string, changed: string) => {
    let name = `${file}: ${what}`;
    for (let n = 2; mutants.has(name); n++) name = `${file}: ${what} (${n})`;
    mutants.set(name, { name, file, source: changed });
  };
  for (const { name, changed } of orderMutants(text)) add(name, changed);
  for (const { node, by, as } of changesIn(source)) {
    const [from, to] = [node.getStart(source), node.getEnd()];
    const said = as ?? `\`${text.slice(from, to)}\` → \`${by}\` in \`${lineAround(text, from, to)}\``;
    add(`${ownerOf(node)}: ${said}`, text.slice(0, from) + by + text.slice(to));
  }
  return [...mutants.values()];
}

/** Rows dropped and moved, in the list of rows. */
function orderMutants(text: string): { name: string; changed: string }[] {
  const list = /export const rows: readonly Row\[\] = \[([^\]]*)\]/.exec(text);
  if (!list?.[1]) return [];
  const names = list[1]
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const withRows = (rows: readonly string[]) => text.replace(list[1] as string, rows.join(", "));
  return names.flatMap((name, index) => {
    const dropped = { name: `row ${name} dropped`, changed: withRows(names.toSpliced(index, 1)) };
    const next = names[index + 1];
    if (next === undefined) return [dropped];
    const moved = withRows(names.toSpliced(index, 2, next, name));
    return [dropped, { name: `row ${name} behind ${next}`, changed: moved }];
  });
}

function changesIn(source: ts.SourceFile): Change[] {
  const changes: Change[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node) || ts.isImportDeclaration(node)) return;
    if (ts.isThrowStatement(node)) return;
    changes.push(...changesOf(node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return changes;
}

function changesOf(node: ts.Node): Change[] {
  if (ts.isBinaryExpression(node)) return operatorChanges(node);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    return [{ node, by: node.operand.getText() }];
  }
  if (ts.isNumericLiteral(node)) return [1, -1].map((by) => ({ node, by: String(Number(node.text) + by) }));
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ node, by: "false" }];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [{ node, by: "true" }];
  if (ts.isStringLiteral(node)) return stringChanges(node);
  if (ts.isConditionalExpression(node)) {
    const { condition, whenTrue, whenFalse } = node;
    const what = `\`${condition.getText()} ?\``;
    return [
      { node, by: whenTrue.getText(), as: `${what} always` },
      { node, by: whenFalse.getText(), as: `${what} never` },
    ];
  }
  if (ts.isIfStatement(node)) {
    const { expression } = node;
    return [
      { node: expression, by: "true", as: `\`if (${expression.getText()})\` always` },
      { node: expression, by: "false", as: `\`if (${expression.getText()})\` never` },
    ];
  }
  if (ts.isCaseClause(node) && node.statements[0]) {
    return [{ node: node.statements[0], by: `return s; ${node.statements[0].getText()}`, as: "dropped" }];
  }
  if (ts.isObjectLiteralExpression(node)) return fieldChanges(node);
  if (ts.isArrayLiteralExpression(node)) return elementChanges(node);
  if (ts.isCallExpression(node)) return callChanges(node);
  return [];
}

function operatorChanges(node: ts.BinaryExpression): Change[] {
  const { operatorToken, left, right } = node;
  if (operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) {
    return [left, right].map((side) => ({ node, by: side.getText() }));
  }
  return (operators[operatorToken.getText()] ?? []).map((by) => ({ node: operatorToken, by }));
}

/** Comparisons with strings are changed by their operators. */
function stringChanges(node: ts.StringLiteral): Change[] {
  const { parent } = node;
  if (ts.isBinaryExpression(parent) || ts.isCaseClause(parent) || ts.isArrayLiteralExpression(parent)) return [];
  if (ts.isPropertyAssignment(parent) && parent.name.getText() === "do" && !(node.text in { close: 1 })) return [];
  const other = others[node.text];
  return other === undefined ? [] : [{ node, by: JSON.stringify(other) }];
}

/** Fields left out of what a state becomes, or of a step. */
function fieldChanges(node: ts.ObjectLiteralExpression): Change[] {
  const { properties } = node;
  return properties.flatMap((field, index) => {
    if (ts.isSpreadAssignment(field) || field.name?.getText() === "do") return [];
    if (index === 0 || !ts.isSpreadAssignment(properties[0] as ts.ObjectLiteralElementLike)) {
      // In an object that is made anew what is absent reads the same.
      const value = ts.isPropertyAssignment(field) ? field.initializer.getText() : "";
      if (value === "undefined" || value === "false") return [];
    }
    const left = properties.filter((_, other) => other !== index).map((other) => other.getText());
    return [{ node, by: `{ ${left.join(", ")} }`, as: `field \`${field.getText()}\` dropped` }];
  });
}

function elementChanges(node: ts.ArrayLiteralExpression): Change[] {
  if (node.elements.length > 3) return [];
  return node.elements.map((element, index) => {
    const left = node.elements.filter((_, other) => other !== index).map((other) => other.getText());
    return { node, by: `[${left.join(", ")}]`, as: `\`${element.getText()}\` dropped from the list` };
  });
}

function callChanges(node: ts.CallExpression): Change[] {
  const callee = node.expression.getText();
  const first = node.arguments[0];
  if (first !== undefined && folds.includes(callee)) return [{ node, by: first.getText() }];
  if (callee === "Math.min") return [{ node: node.expression, by: "Math.max" }];
  if (callee.endsWith(".some")) return [{ node: node.expression, by: callee.replace(/some$/, "every") }];
  return [];
}

/** The function around, and the case of its switch. */
function ownerOf(node: ts.Node): string {
  let owner = "";
  for (let at: ts.Node = node; at.parent; at = at.parent) {
    if (ts.isCaseClause(at)) owner = `, ${at.expression.getText()}`;
    const named = ts.isFunctionDeclaration(at) || ts.isVariableDeclaration(at) ? at.name?.getText() : undefined;
    const top = ts.isVariableDeclaration(at) ? at.parent.parent.parent : at.parent;
    if (ts.isSourceFile(top) && named !== undefined) return `${named}${owner}`;
  }
  return owner;
}

/** The code around on the same line. */
function lineAround(text: string, from: number, to: number): string {
  const start = text.lastIndexOf("\n", from) + 1;
  const end = text.indexOf("\n", to);
  return text
    .slice(Math.max(start, from - 40), Math.min(end < 0 ? text.length : end, to + 30))
    .replaceAll(/\s+/g, " ")
    .trim();
}
