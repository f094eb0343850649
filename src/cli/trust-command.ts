import type { Ask } from "./approve.ts";
import { askTrust, onOneLine, whatWaits } from "./config/ask-trust.ts";
import { readProjectConfig } from "./config/project-config.ts";
import { inertOf, isTrusted } from "./config/trust.ts";
import { readUserConfig } from "./config/user-config.ts";
import { changeProject } from "./config/write-user.ts";
import { checkFolder } from "./folder.ts";
import { processOutput } from "./output.ts";
import { terminalAsk } from "./terminal-ask.ts";
import type { TrustSettings } from "./trust-settings.ts";
import { usageError } from "./usage-error.ts";

/** `rondo trust`: resolves to the exit code; rejects with what is wrong. */
export async function trustCommand(settings: TrustSettings): Promise<number> {
  await checkFolder(settings.folder, "rondo trust");
  const output = processOutput(true);
  const say = (line: string) => output.stdout(`${line}\n`);
  const code = await trust(settings, say, terminalAsk(output));
  await output.flush();
  return code;
}

async function trust(settings: TrustSettings, say: (line: string) => void, ask: Ask | undefined): Promise<number> {
  const project = readProjectConfig(settings.folder);
  if (project === undefined) throw usageError(`there is no rondo.config.json for ${settings.folder}`);
  const shown = onOneLine(project.path);
  if (settings.revoke) {
    await changeProject(project.folder, ({ trusted: _, ...rest }) => rest);
    say(`${shown} is trusted no more`);
    return 0;
  }
  const user = readUserConfig();
  const inert = inertOf(project, user);
  if (inert === undefined) {
    say(`${shown} asks for nothing that needs trust`);
    return 0;
  }
  if (isTrusted(project, inert, user)) {
    say(`${shown} is trusted already`);
    return 0;
  }
  if (settings.sha256 !== undefined && settings.sha256 !== inert.hash)
    throw usageError(`${shown} or its modules are not what --sha256 says, but ${inert.hash}; nothing was changed`);
  if (settings.sha256 === undefined) {
    if (ask === undefined) {
      say(whatWaits(project, inert));
      throw usageError(`nobody is there to ask; once you have looked at it: rondo trust --sha256 ${inert.hash}`);
    }
    if (!(await askTrust(project, inert, ask))) {
      say("nothing was changed");
      return 1;
    }
  }
  await changeProject(project.folder, (before) => ({ ...before, trusted: inert.hash }));
  say(`${shown} is trusted as it is now`);
  return 0;
}
