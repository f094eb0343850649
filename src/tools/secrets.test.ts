import { expect, test } from "vitest";
import { isSecret } from "./secrets.ts";

const secret = [
  ".env", ".env.local", ".envrc", "app/.env.production", "prod.env", ".ENV", "server.pem", "tls/server.KEY", "a.p12", "a.pfx", "a.jks",
  "id_rsa", "id_rsa.old", "keys/id_ed25519", "id_ecdsa", "etc/ssh_host_rsa_key", ".ssh/", ".ssh/known_hosts", "home/.gnupg/x", ".aws/credentials",
  ".aws/", ".config/gcloud/access_tokens.db", ".npmrc", "packages/a/.npmrc", ".pypirc", ".cargo/credentials.toml", ".netrc", "_netrc", ".pgpass",
  ".git-credentials", ".git/config", ".git/modules/a/config", ".kube/config", "kubeconfig", "dev.kubeconfig", ".docker/config.json",
  ".config/gh/hosts.yml", "my-service-account.json", "serviceAccountKey.json", "x-firebase-adminsdk-1.json", "client_secret_1.json", "credentials.json",
];

const harmless = [
  "", ".", ".env.example", "app/.env.sample", ".env.template", "prod.env.example", "environment.ts", "src/env.ts", "keyboard.ts", "key.ts", "pem.md", "a.key/b.txt", ".env/lib/x.py",
  "id_rsa_notes/readme.md", "ssh/config.ts", ".aws.md", "npmrc", ".gitignore", ".git/HEAD", "config", "docker/config.json", "service/account.json",
  "credentials.ts", "src/credentials/index.json", "docs/kube/config", "package.json", ".key.d/", "public.pub",
];

test.each(secret)("%s is secret", (path) => {
  expect(isSecret(path)).toBe(true);
});

test.each(harmless)("%s is not secret", (path) => {
  expect(isSecret(path)).toBe(false);
});
