// Installs each peer in its own folder; only the benchmark needs them.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
for (const peer of readdirSync(new URL('./peers/', import.meta.url))) {
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], { cwd: new URL(`./peers/${peer}/`, import.meta.url), stdio: 'inherit' });
}
