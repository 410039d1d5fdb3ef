import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { operatorNameSchema } from '@maker/contracts';
import { publicKeyText } from '@maker/signing/commands';
import { accountXpub, newMnemonic, readSeedFile } from '@maker/signing/private';
import { readOptions, UsageError } from '../command-error.ts';

/** How these commands are called. */
export const KEYS_USAGE = `usage: npm run ops -- seed new <file>
  writes a new phrase of 24 words, mode 0400, and prints the xpub of its account
usage: npm run ops -- xpub --seed <file> [--passphrase-file <file>]
  prints the xpub of the account of a seed file, plain or encrypted by age
usage: npm run ops -- secrets [--name <name>] [--namespace <namespace>] [--seed <file>] [--operator <name>]
  prints a Secret with all keys of an installation: seed, xpub, API keys and their hashes; pipe it into kubectl apply -f -
  --operator adds the key of an operator, for an evaluation only`;

const DEFAULT_NAME = 'maker-keys';

/** Writes a new seed. @returns what to print, which is never the phrase @throws UsageError */
export async function seedCommand([verb, path, ...more]: readonly string[]): Promise<string> {
  if (verb !== 'new' || path === undefined || more.length > 0) throw new UsageError(KEYS_USAGE);
  const phrase = newMnemonic();
  await writeFile(path, `${phrase}\n`, { mode: 0o400, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} cannot be written (${error.code ?? 'unknown error'}); a file that exists is kept`);
  });
  return `${accountXpub(phrase)}\nBack up ${path} twice, off-line: it opens every wallet.\n`;
}

/** Prints the xpub of a seed file. @throws UsageError @throws SeedFileError */
export async function printXpub(args: readonly string[]): Promise<string> {
  const { values } = readOptions(args, ['seed', 'passphrase-file'], KEYS_USAGE);
  if (values.seed === undefined) throw new UsageError(KEYS_USAGE);
  return `${accountXpub(await readSeedFile(values.seed, values['passphrase-file']))}\n`;
}

/** The Secret with all keys of an installation, as the chart's `secrets.keys` reads it. */
export interface PrintedSecrets {
  readonly manifest: string;
  /** For the person who runs the command. */
  readonly advice: string;
}

/** Makes the keys of an installation. @throws UsageError @throws SeedFileError */
export async function printSecrets(args: readonly string[]): Promise<PrintedSecrets> {
  const { values } = readOptions(args, ['name', 'namespace', 'seed', 'operator'], KEYS_USAGE);
  const phrase = values.seed === undefined ? newMnemonic() : (await readSeedFile(values.seed)).trim();
  const site = newApiKey('public');
  const operator = newApiKey('operator');
  const { name = DEFAULT_NAME, namespace } = values;
  const manifest = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      // No release removes it: without the seed the money of every wallet is lost.
      annotations: { 'helm.sh/resource-policy': 'keep' },
    },
    stringData: {
      mnemonic: phrase,
      xpub: accountXpub(phrase),
      'api-keys.json': JSON.stringify([
        { name: 'web', sha256: sha256(site), scopes: ['public'] },
        { name: 'operator', sha256: sha256(operator), scopes: ['public', 'operator'] },
      ]),
      'site-api-key': site,
      'operator-api-key': operator,
      ...(values.operator !== undefined && operatorKeys(values.operator)),
    },
  };
  return {
    manifest: `${JSON.stringify(manifest, null, 2)}\n`,
    advice: `Back up the seed before the first payment: kubectl get secret ${name} -o jsonpath='{.data.mnemonic}' | base64 -d`,
  };
}

function operatorKeys(name: string) {
  if (!operatorNameSchema.safeParse(name).success) throw new UsageError(`'${name}' is not the name of an operator`);
  const { privateKey } = generateKeyPairSync('ed25519');
  return {
    'operator.key': privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    'operator-keys': `${name}:${publicKeyText(privateKey)}`,
  };
}

const newApiKey = (scope: 'public' | 'operator') => `maker_${scope}_${randomBytes(24).toString('base64url')}`;
const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');
