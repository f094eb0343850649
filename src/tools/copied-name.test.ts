import { expect, test } from "vitest";
import { isSecret } from "./secrets.ts";

/** Copies of secrets, as editors and people make them. */
const copies = [
  "server.pem.bak",
  "server.pem.bak2",
  "server.pem~",
  "server.key.old",
  "server.key.orig",
  "server.key.1",
  "server.key.bak.old",
  "server.key_backup",
  ".server.pem.swp",
  ".npmrc.save",
  ".npmrc-old",
  ".netrc.bak",
  ".credentials.swp",
  "secrets.yml.rpmnew",
  "credentials.bak",
  ".git/config.orig",
  "secrets (1).json",
  "secrets copy.json",
  "Secrets - Copy (2).json",
  "secrets-old.yaml",
  "secrets.bak.json.gz",
  ".npmrc copy",
  ".npmrc copy 2",
  "Copy of .npmrc",
  "Copy (2) of Copy of .npmrc",
  "#.npmrc#",
  ".#.npmrc",
  ".npmrc.~1~",
  ".netrc.txt",
  ".netrc.gpg",
  ".netrc (1).txt",
  "server.pem.txt",
  "server.pem.gz",
  "server.pem.tar.gz.bak",
  "server.pem.dpkg-dist",
  ".claude.json.backup",
  "tls/Kopie von server.key.zip",
  "kubeconfig (1).yaml",
  "app/credentials (copy).yml",
  ".env copy",
  ".env (1).example.local",
  "auth.json.bak",
];

const harmless = [
  ".env.example.bak",
  ".env.example~",
  ".env.example copy",
  ".env.sample.txt",
  ".dev.vars.example.old",
  "copy of notes.txt",
  "notes (1).txt.gz",
  "copy.json",
  "1",
  "#",
];

test.each(copies)("%s is secret, as what it is a copy of", (path) => {
  expect(isSecret(path)).toBe(true);
});

test.each(harmless)("%s is not secret, as what it is a copy of", (path) => {
  expect(isSecret(path)).toBe(false);
});

test("a name of nothing but numbers or endings of copies is read in one way, however long it is", () => {
  for (const part of [
    "-10",
    "-1",
    ".bak",
    ".bak2",
    "_dpkg-old",
    "~",
    ".11x",
    " (1)",
    " copy",
    "copy of ",
    ".gz",
    "dpkg-",
  ])
    expect(isSecret(`scan${part.repeat(Math.floor(250 / part.length))}x`)).toBe(false);
});

// Where each second piece of these was a new beginning, one of them took minutes.
test.each([". ", ".bak", "-1", " (1)", ".tfstate", "/.git/modules", "kubeconfig-", "serviceaccount", ".json", "/.env"])(
  "a path that is %j over and over is read once",
  (part) => {
    expect(isSecret(`a${part.repeat(200_000)}/x`)).toBe(false);
  },
);
