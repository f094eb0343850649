#!/usr/bin/env node
// Must parse and run on any old Node once it is built: no static imports, and nothing newer than `import()`.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`rondo needs Node 22.18 or newer; this is Node ${process.versions.node}\n`);
  process.exitCode = 1;
} else {
  import("./main.ts").then(
    ({ main }) => main(process.argv.slice(2)),
    (error) => {
      process.stderr.write(`rondo: cannot start: ${error instanceof Error ? error.message : error}\n`);
      process.exitCode = 1;
    },
  );
}
