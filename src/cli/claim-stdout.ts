/** Standard output, taken away from everybody else. */
export type ClaimedStdout = {
  write(text: string): void;
  /** Resolves when everything written has left the process, or cannot. */
  flush(): Promise<void>;
};

/**
 * Keeps standard output for the command alone: what tools and packages write there, by `console.log` or directly, goes
 * to standard error until the process ends.
 */
export function claimStdout(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): ClaimedStdout {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  return {
    write: (text) => void (stdout.writable && write(text)),
    // What kept it from being written is told behind the last write.
    flush: () =>
      new Promise((done) => (stdout.writable ? void write("", () => setImmediate(done)) : setImmediate(done))),
  };
}
