import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { operatorNameSchema } from '@maker/contracts';
import { publicKeyText } from '@maker/signing/commands';
import { accountXpub, newMnemonic, readSeedFile } from '@maker/signing/private';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { readOptions, UsageError } from '../command-error.ts';

/** Usage text of these commands. */
export const KEYS_USAGE = `usage: npm run ops -- seed new <file>
  writes a new phrase of 24 words, mode 0400, and prints the xpub of its account
usage: npm run ops -- xpub --seed <file> [--passphrase-file <file>]
  prints the xpub of the account of a seed file, plain or encrypted by age
usage: npm run --silent ops -- secrets [--name <name>] [--namespace <namespace>] [--seed <file>] [--operator <name>]
                                    [--nats-namespace <namespace>] [--mongodb-namespace <namespace>]
  prints a Secret with all keys of an installation: seed, xpub, the key of agreements with its address, API keys with their hashes, a password of each service for NATS and for MongoDB;
  pipe it into kubectl create -f -, which keeps a Secret that exists
  --nats-namespace and --mongodb-namespace add Secrets for the servers: nats-passwords, mongodb-passwords
  --operator adds the key of an operator, for an evaluation only`;

const DEFAULT_NAME = 'maker-keys';

/** The services with a user at NATS and at MongoDB (`k8s/nats/users.conf`, `k8s/mongodb`). */
export const SERVER_USERS = [
  'api-gateway',
  'token-validation',
  'job',
  'payment-watcher',
  'maker-executor',
  'receipts',
  'webhook-sender',
] as const;

/** Writes a new seed. @returns the text to print, without the phrase @throws UsageError */
export async function seedCommand([verb, path, ...more]: readonly string[]): Promise<string> {
  if (verb !== 'new' || path === undefined || more.length > 0) throw new UsageError(KEYS_USAGE);
  const phrase = newMnemonic();
  await writeSecretFile(path, `${phrase}\n`);
  return `${accountXpub(phrase)}\nBack up ${path} twice, off-line: it opens every wallet.\n`;
}

/** Makes an operator's key in a file that only its owner may read. @returns the public key @throws UsageError */
export async function makeOperatorKey(path: string): Promise<string> {
  const { pem, publicKey } = newOperatorKey();
  await writeSecretFile(path, pem);
  return publicKey;
}

async function writeSecretFile(path: string, content: string): Promise<void> {
  await writeFile(path, content, { mode: 0o400, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} cannot be written (${error.code ?? 'unknown error'}); a file that exists is kept`);
  });
}

function newOperatorKey() {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { pem, publicKey: publicKeyText(privateKey) };
}

/** Prints the xpub of a seed file. @throws UsageError @throws SeedFileError */
export async function printXpub(args: readonly string[]): Promise<string> {
  const { values } = readOptions(args, ['seed', 'passphrase-file'], KEYS_USAGE);
  if (values.seed === undefined) throw new UsageError(KEYS_USAGE);
  return `${accountXpub(await readSeedFile(values.seed, values['passphrase-file']))}\n`;
}

/** The Secret with all keys of an installation, for the chart's `secrets.keys`; with options also the servers' Secrets, as a List. */
export interface PrintedSecrets {
  readonly manifest: string;
  /** For the person who runs the command. */
  readonly advice: string;
}

/** Makes the keys of an installation. @throws UsageError @throws SeedFileError */
export async function printSecrets(args: readonly string[]): Promise<PrintedSecrets> {
  const options = ['name', 'namespace', 'seed', 'operator', 'nats-namespace', 'mongodb-namespace'] as const;
  const { values } = readOptions(args, options, KEYS_USAGE);
  const phrase = values.seed === undefined ? newMnemonic() : (await readSeedFile(values.seed)).trim();
  const agreementKey = generatePrivateKey();
  const site = newApiKey('public');
  const operator = newApiKey('operator');
  const { name = DEFAULT_NAME, namespace } = values;
  const nats = passwords();
  const mongodb = passwords();
  const product = secret(name, namespace, {
    mnemonic: phrase,
    xpub: accountXpub(phrase),
    'agreement-key': agreementKey,
    'agreement-signers': privateKeyToAccount(agreementKey).address,
    'api-keys.json': JSON.stringify([
      { name: 'web', sha256: sha256(site), scopes: ['public'] },
      { name: 'operator', sha256: sha256(operator), scopes: ['public', 'operator'] },
    ]),
    'site-api-key': site,
    'operator-api-key': operator,
    ...renamed(nats, (service) => `nats-${service}`),
    ...renamed(mongodb, (service) => `mongodb-${service}`),
    ...(values.operator !== undefined && operatorKeys(values.operator)),
  });
  const natsUsers = renamed(nats, (service) => `NATS_${service.toUpperCase().replaceAll('-', '_')}_PASSWORD`);
  const servers = [
    ...(values['nats-namespace'] ? [secret('nats-passwords', values['nats-namespace'], natsUsers)] : []),
    ...(values['mongodb-namespace'] ? [secret('mongodb-passwords', values['mongodb-namespace'], mongodb)] : []),
  ];
  const manifest = servers.length === 0 ? product : { apiVersion: 'v1', kind: 'List', items: [product, ...servers] };
  return {
    manifest: `${JSON.stringify(manifest, null, 2)}\n`,
    advice: `Back up the seed before the first payment: kubectl${namespace === undefined ? '' : ` -n ${namespace}`} get secret ${name} -o jsonpath='{.data.mnemonic}' | base64 -d`,
  };
}

function secret(name: string, namespace: string | undefined, stringData: Readonly<Record<string, string>>) {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      // Helm never removes it: without the seed the money of every wallet is lost.
      annotations: { 'helm.sh/resource-policy': 'keep' },
    },
    stringData,
  };
}

/** A password for each service, of characters that need no encoding in a URL. */
const passwords = (): Record<string, string> =>
  Object.fromEntries(SERVER_USERS.map((service) => [service, randomBytes(24).toString('base64url')]));

const renamed = (entries: Readonly<Record<string, string>>, name: (key: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(entries).map(([key, value]) => [name(key), value]));

function operatorKeys(name: string) {
  if (!operatorNameSchema.safeParse(name).success) throw new UsageError(`'${name}' is not the name of an operator`);
  const { pem, publicKey } = newOperatorKey();
  return { 'operator.key': pem, 'operator-keys': `${name}:${publicKey}` };
}

const newApiKey = (scope: 'public' | 'operator') => `maker_${scope}_${randomBytes(24).toString('base64url')}`;
const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');
