import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, vi } from "vitest";
import type { AgentEvent } from "../loop/events.ts";
import { type ChatServer, chatServer, type Reply } from "./chat-server.fixture.ts";

/** A folder with `src/notes.txt`, and servers that are closed behind each test. */
export type Stage = {
  readonly folder: string;
  serve(reply: (round: number) => Reply): Promise<ChatServer>;
};

/** Sets up for tests that run the real command. */
export function stage(): Stage {
  // Each test starts Node, which takes long on a busy machine.
  vi.setConfig({ testTimeout: 60_000 });
  let folder = "";
  const servers: ChatServer[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "rondo-"));
    await mkdir(join(folder, "src"));
    await writeFile(join(folder, "src", "notes.txt"), "alpha\nbeta\ngamma\n");
  });
  afterAll(() => rm(folder, { recursive: true }));
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });
  return {
    get folder() {
      return folder;
    },
    async serve(reply) {
      const server = await chatServer(reply);
      servers.push(server);
      return server;
    },
  };
}

/** The events in the output of `--json`; throws if there is anything else. */
export function eventsIn(stdout: string): AgentEvent[] {
  const lines = stdout.split("\n");
  if (lines.pop() !== "") throw new Error("the last line has no end");
  return lines.map((line) => JSON.parse(line) as AgentEvent);
}

export const readNotes = { name: "read_file", arguments: { path: "src/notes.txt" } };

/** Looks into the notes, then answers. */
export const twoRounds = (round: number): Reply =>
  round === 1 ? { text: "Let me look.", calls: [readNotes] } : { text: "The last line is gamma." };
