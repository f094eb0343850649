import { copiedNames } from "./copied-name.ts";
import { spellings } from "./plain-path.ts";

/**
 * One kind of file that holds secrets. `pattern` fits a lower-case path that begins with `/`; that of a folder ends with
 * `/`. What `but` fits is none, whatever the pattern says.
 */
type SecretKind = { readonly what: string; readonly pattern: RegExp; readonly but?: RegExp };

// A pattern looks at each part of a name once, or a long name of a stranger would take long: what may begin at many places
// is sought from its end, with a look behind.

/** How a file is called that shows what such a file looks like, or tries it out; `-test` may be the account of a test system. */
const shows = "[._-](?:example|sample|template|schema|fixtures?|types|form)|\\.(?:tests?|spec|mocks?)";

/** Source and documents. */
const source = "[cm]?[jt]sx?|mdx?|rst|adoc|html?|css|vue|svelte|py|rb|go|rs|java|kt|swift|php|cs|c|h|cpp|hpp";

/** Folders of translations. */
const translations = "_?locales?|i18n|l10n|langs?|languages?|translations?|messages";

/**
 * What readers leave alone. A name that is also that of ordinary source (`auth.json`, `config.json`) stands here with the
 * folder that makes it a secret; folders that do so have names that begin with a dot: see `hiddenAround`.
 */
export const secretKinds: readonly SecretKind[] = [
  {
    what: "environment files",
    pattern: /\/\.env[^/]*$|\/[^/]+\.env$|\/\.dev\.vars(?:\.[^/]*)?$|\/\.envs\//,
    // `.env.example`, `.env.local.sample`, `.env.template` are there to be read.
    but: /\/\.env(?:\.[\w-]+)*\.(?:example|sample|template)$|\/\.dev\.vars\.example$/,
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
  {
    what: "ssh keys",
    pattern: /\/id_(?:rsa|dsa|ecdsa|ed25519|xmss)[^/]*$|\/ssh_host_[^/]*_key$/,
    but: new RegExp(`\\/id_[^/.]*(?:\\.(?:test|spec|d))?\\.(?:${source})$`),
  },
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
      /^\/auth\.json$|\/\.(?:composer|codex|opencode|pi\/agent|config\/[^/]+|local\/share\/[^/]+)\/auth\.json$|\/(?:oauth_creds|\.claude)\.json$|\/\.(?:kaggle\/kaggle\.json|huggingface\/token|cache\/huggingface\/(?:token|stored_tokens))$/,
  },
  {
    what: "passwords of programs",
    pattern:
      /\/(?:[._]netrc|\.pgpass|pgpass\.conf|\.my\.cnf|\.mylogin\.cnf|\.htpasswd|\.vault-token|\.?vault[-_]pass(?:word)?(?:\.txt)?|\.authinfo|\.smbcredentials|\.msmtprc|\.fetchmailrc|\.sentryclirc|local\.settings\.json)$/,
  },
  {
    what: "histories of shells and consoles",
    pattern: /\/\.(?:[\w-]+[-_])?z?hist(?:ory|file)$|\/(?:fish_history|consolehost_history\.txt|\.viminfo)$/,
  },
  {
    what: "passwords of git",
    pattern: /\/\.git-credentials$|\/\.config\/git\/credentials$|\/config$(?<=\/\.git\/(?:modules\/.+\/)?config)/,
  },
  {
    what: "clusters and containers",
    // But the template of a chart.
    pattern:
      /\/\.kube\/|\/(?:[^/]*\.)?kubeconfig$|\.(?:ya?ml|json|conf)$(?<=[/._-]kubeconfig(?:[_-][^/.]*)?\.\w+)(?<!\/templates\/[^/]*)|\/\.docker\/config\.json$/,
  },
  // Not made for secrets, but servers stand in it with their environment.
  { what: "configuration of Rondo", pattern: /\/\.config\/rondo\/config\.json$/ },
  {
    what: "code hosts",
    pattern:
      /\/\.config\/(?:gh|hub|glab-cli|github-copilot)(?:\/|$)|\/\.terraformrc$|\/\.terraform\.d\/credentials[^/]*$/,
  },
  {
    what: "infrastructure",
    pattern:
      /\/(?:(?!\.tfstate(?:\.|$))[^/])*\.tfstate(?:\.[^/]*)?$|(?<![/.](?:example|sample|template))\.tfvars(?:\.json)?$/,
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
      /\.json$(?<=(?:service[-_]?account|firebase-adminsdk)[^/]*)|\/\.?(?:client_secret|credentials|application_default_credentials)[^/]*\.json$|\/\.?credentials(?:\.(?:ya?ml|toml|xml|csv|ini|txt|properties))?$/,
    but: new RegExp(`(?:${shows})\\.json$|\\/(?:${translations})\\/(?:[^/]+\\/){0,2}[^/]+\\.(?:json|ya?ml)$`),
  },
];

const all = new RegExp(secretKinds.map((kind) => kind.pattern.source).join("|"));

/**
 * True for a file that may hold keys or passwords, by its name alone, and for a copy of one (`server.pem.bak`). The path
 * is relative with `/` between its parts; a folder's path ends with `/`. Compared as the most forgiving file system does.
 */
export function isSecret(path: string): boolean {
  return spellings(`/${path}`).some((spelt) => {
    const names = copiedNames(spelt);
    if (!names.some((name) => all.test(name))) return false;
    return secretKinds.some(
      ({ pattern, but }) => names.some((name) => pattern.test(name)) && !names.some((name) => but?.test(name)),
    );
  });
}
