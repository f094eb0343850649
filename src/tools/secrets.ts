/** One kind of file that holds secrets. `pattern` fits a lower-case path that begins with `/`; that of a folder ends with `/`. */
type SecretKind = { readonly what: string; readonly pattern: RegExp };

/** What readers leave alone. Names are compared without regard to case, because some file systems do. */
export const secretKinds: readonly SecretKind[] = [
  {
    what: "environment files",
    // But `.env.example`, `.env.local.sample`, `.env.template`, which are there to be read.
    pattern: /\/\.env(?!(?:\.[\w-]+)*\.(?:example|sample|template)$)[^/]*$|\/[^/]+\.env$/,
  },
  { what: "keys and key stores", pattern: /\.(?:pem|key|p12|pfx|pkcs12|p8|ppk|jks|keystore|kdbx)$/ },
  { what: "ssh keys", pattern: /\/id_(?:rsa|dsa|ecdsa|ed25519|xmss)[^/]*$|\/ssh_host_[^/]*_key$/ },
  { what: "folders of keys", pattern: /\/\.(?:ssh|gnupg)\// },
  { what: "cloud accounts", pattern: /\/\.(?:aws|azure|oci|config\/gcloud)\/|\/\.boto$|\/\.s3cfg$/ },
  {
    what: "package registries",
    pattern: /\/\.(?:npmrc|yarnrc\.yml|pypirc|dockercfg)$|\/\.(?:cargo|gem)\/credentials[^/]*$/,
  },
  {
    what: "passwords of programs",
    pattern: /\/(?:[._]netrc|\.pgpass|\.my\.cnf|\.mylogin\.cnf|\.htpasswd|\.vault-token)$/,
  },
  {
    what: "passwords of git",
    pattern: /\/\.git-credentials$|\/\.config\/git\/credentials$|\/\.git\/(?:modules\/.+\/)?config$/,
  },
  { what: "clusters and containers", pattern: /\/\.kube\/|\/(?:[^/]*\.)?kubeconfig$|\/\.docker\/config\.json$/ },
  {
    what: "code hosts",
    pattern: /\/\.config\/(?:gh|hub|glab-cli)\/|\/\.terraformrc$|\/\.terraform\.d\/credentials[^/]*$/,
  },
  {
    what: "accounts of services",
    pattern:
      /\/[^/]*service[-_]?account[^/]*\.json$|\/[^/]*firebase-adminsdk[^/]*\.json$|\/(?:client_secret|credentials|application_default_credentials)[^/]*\.json$/,
  },
];

const all = new RegExp(secretKinds.map((kind) => kind.pattern.source).join("|"));

/**
 * True for a file that may hold keys or passwords, by its name alone. The path is relative with `/` between its parts;
 * a folder's path ends with `/`.
 */
export function isSecret(path: string): boolean {
  return all.test(`/${path}`.toLowerCase());
}
