import { spellings } from "./plain-path.ts";

/** One kind of file that holds secrets. `pattern` fits a lower-case path that begins with `/`; that of a folder ends with `/`. */
type SecretKind = { readonly what: string; readonly pattern: RegExp };

/**
 * What readers leave alone. A name that is also that of ordinary source (`auth.json`, `config.json`) stands here with the
 * folder that makes it a secret; folders that do so have names that begin with a dot: see `hiddenAround`.
 */
export const secretKinds: readonly SecretKind[] = [
  {
    what: "environment files",
    // But `.env.example`, `.env.local.sample`, `.env.template`, which are there to be read.
    pattern:
      /\/\.env(?!(?:\.[\w-]+)*\.(?:example|sample|template)$)[^/]*$|\/[^/]+\.env$|\/\.dev\.vars(?:\.(?!example$)[^/]*)?$/,
  },
  {
    what: "keys and key stores",
    pattern: /\.(?:pem|key|p12|pfx|pkcs12|p8|ppk|jks|jceks|keystore|kdbx?|keytab|agekey|ovpn)$|\/wallet\.dat$/,
  },
  {
    what: "private keys of gpg and age",
    pattern:
      /\/(?:[^/]*[._-])?(?:private|secret)(?:[._-]?(?:sub)?keys?)?\.(?:asc|gpg|pgp)$|\/secring\.\w+$|\/age\/keys\.txt$/,
  },
  { what: "ssh keys", pattern: /\/id_(?:rsa|dsa|ecdsa|ed25519|xmss)[^/]*$|\/ssh_host_[^/]*_key$/ },
  {
    what: "folders of keys",
    pattern: /\/\.(?:ssh|gnupg|password-store|mozilla|thunderbird|local\/share\/keyrings)\//,
  },
  {
    what: "cloud accounts",
    pattern:
      /\/\.(?:aws|azure|oci|config\/(?:gcloud|doctl|op|rclone))\/|\/\.(?:boto|s3cfg|passwd-s3fs|databrickscfg)$|\/\.?rclone\.conf$|\/(?:rootkey|[^/]*accesskeys)\.csv$/,
  },
  {
    what: "package registries",
    pattern:
      /\/\.(?:npmrc|yarnrc\.yml|pypirc|dockercfg)$|\/\.(?:cargo|gem)\/credentials[^/]*$|\/\.m2\/settings[^/]*\.xml$|\/\.gradle\/gradle\.properties$|\/\.bundle\/config$|\/\.config\/pypoetry\/auth\.toml$/,
  },
  {
    what: "signed-in programs",
    // Elsewhere it is a file of translations, of a schema, of a test; beside a composer.json it stands at the root.
    pattern:
      /^\/auth\.json$|\/\.(?:composer|codex|opencode|pi\/agent|config\/[^/]+|local\/share\/[^/]+)\/auth\.json$|\/oauth_creds\.json$|\/\.(?:kaggle\/kaggle\.json|huggingface\/token|cache\/huggingface\/(?:token|stored_tokens))$/,
  },
  {
    what: "passwords of programs",
    pattern:
      /\/(?:[._]netrc|\.pgpass|pgpass\.conf|\.my\.cnf|\.mylogin\.cnf|\.htpasswd|\.vault-token|\.?vault[-_]pass(?:word)?(?:\.txt)?|\.authinfo|\.smbcredentials|\.msmtprc|\.fetchmailrc|local\.settings\.json)$/,
  },
  {
    what: "histories of shells and consoles",
    pattern: /\/\.(?:[\w-]+[-_])?z?hist(?:ory|file)$|\/(?:fish_history|consolehost_history\.txt|\.viminfo)$/,
  },
  {
    what: "passwords of git",
    pattern: /\/\.git-credentials$|\/\.config\/git\/credentials$|\/\.git\/(?:modules\/.+\/)?config$/,
  },
  // Not made for secrets, but servers stand in it with their environment.
  { what: "configuration of Rondo", pattern: /\/\.config\/rondo\/config\.json$/ },
  { what: "clusters and containers", pattern: /\/\.kube\/|\/(?:[^/]*\.)?kubeconfig$|\/\.docker\/config\.json$/ },
  {
    what: "code hosts",
    pattern:
      /\/\.config\/(?:gh|hub|glab-cli|github-copilot)(?:\/|$)|\/\.terraformrc$|\/\.terraform\.d\/credentials[^/]*$/,
  },
  {
    what: "infrastructure",
    pattern: /\.tfstate(?:\.[^/]*)?$|(?<![/.](?:example|sample|template))\.tfvars(?:\.json)?$/,
  },
  {
    what: "files of secrets",
    // But the template of a chart, and those that show what such a file holds, or are encrypted.
    pattern:
      /(?<!\/templates)\/\.?secrets(?:\.(?!(?:example|sample|template|schema|test|spec|enc)\.)[\w-]+)*\.(?:json5?|ya?ml|toml|ini|properties)$|\/\.secrets$/,
  },
  {
    what: "accounts of services",
    pattern:
      /\/[^/]*service[-_]?account[^/]*\.json$|\/[^/]*firebase-adminsdk[^/]*\.json$|\/\.?(?:client_secret|credentials|application_default_credentials)[^/]*\.json$|\/\.?credentials(?:\.(?:ya?ml|toml|xml|csv|ini|txt|properties))?$/,
  },
];

const all = new RegExp(secretKinds.map((kind) => kind.pattern.source).join("|"));

/**
 * What editors, people and package managers put behind the name of a file that they keep a copy of. No part of a name can
 * be read in two ways: names come from strangers, and each second way would double the time.
 */
const copied =
  /(?:~|[._-](?:(?:bak|backup|old|orig|save|copy|tmp|temp|sw[a-p]|rej|rpm(?:new|save|orig)|dpkg-(?:old|new|dist|tmp|bak|inst))\d*|\d+))+$/;

/** The name of what a file is a copy of; undefined if its name does not say that it is one. */
function original(path: string): string | undefined {
  if (!copied.test(path)) return undefined;
  const name = path.replace(copied, "");
  // Vim puts a dot in front as well.
  return path.endsWith(".swp") || path.endsWith(".swo") ? name.replace(/\/\.(?=[^/.][^/]*$)/, "/") : name;
}

/**
 * True for a file that may hold keys or passwords, by its name alone, and for a copy of one (`server.pem.bak`). The path
 * is relative with `/` between its parts; a folder's path ends with `/`. Compared as the most forgiving file system does.
 */
export function isSecret(path: string): boolean {
  return spellings(`/${path}`).some((spelt) => {
    if (all.test(spelt)) return true;
    const name = original(spelt);
    return name !== undefined && all.test(name);
  });
}
