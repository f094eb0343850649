/**
 * The tools that come with Rondo, at work in a temporary folder: nothing is opted into, a bare `exec` may search, edit files
 * and run code. Whoever wants to be asked first names the tools and answers. Without RONDO_MODEL the built-in stand-in
 * matches words to tools.
 *
 *     node examples/hands.ts ["request"]
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRuntime } from "rondo";

process.on("uncaughtException", ({ message }) => {
  console.error(message); // a model of no such name, say: one line is enough
  process.exit(2);
});
const request =
  process.argv[2] ??
  'Search for "TOTAL", read prices.csv, run the code `30 + 18 + 4`, then replace "TOTAL" with "52" in offer.md.';
const workspace = await mkdtemp(join(tmpdir(), "hands-"));
try {
  await writeFile(join(workspace, "prices.csv"), "item,price\nkettle,30\nteapot,18\ncup,4\n");
  await writeFile(join(workspace, "offer.md"), "# Offer\n\nA kettle, a teapot and a cup: TOTAL euros.\n");

  const runtime = createRuntime({
    workspace,
    requiresApproval: ["write_file", "edit_file"],
    approve({ call, arguments: args }) {
      console.log(`may ${call.name} do this? ${JSON.stringify(args)}: yes`);
      return true; // ask somebody; false, or { approved: false, reason }, is a no that the model is told of
    },
  });

  const run = runtime.run(request);
  for await (const event of run) {
    if (event.type === "tool_start") console.log(`→ ${event.call.name} ${event.call.arguments}`);
    if (event.type === "tool_end" && event.result.isError) console.log("  failed:", event.result.content);
  }
  const { outcome, text } = await run.result;
  console.log(`${text}\n\n${outcome}: offer.md is now\n${await readFile(join(workspace, "offer.md"), "utf8")}`);
} finally {
  await rm(workspace, { recursive: true, force: true });
}
