import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { operatorNameSchema } from '@maker/contracts';
import { publicKeyText } from '@maker/signing/commands';
import { accountXpub, newMnemonic, readSeedFile } from '@maker/signing/private';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { UsageError } from '../command-error.ts';
import type { Printed } from '../output.ts';

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

/** Writes a new seed. @returns its xpub, never the phrase @throws UsageError */
export async function newSeed(path: string): Promise<Printed> {
  const phrase = newMnemonic();
  await writeSecretFile(path, `${phrase}\n`);
  const xpub = accountXpub(phrase);
  return { text: `${xpub}\nBack up ${path} twice, off-line: it opens every wallet.`, json: { xpub } };
}

/** Makes an operator's key in a file that only its owner may read. @returns the public key @throws UsageError */
export async function makeOperatorKey(
  path: string,
): Promise<Printed & { readonly json: { readonly publicKey: string } }> {
  const { pem, publicKey } = newOperatorKey();
  await writeSecretFile(path, pem);
  return { text: `the public key of ${path}, for makerExecutor.operatorKeys: ${publicKey}`, json: { publicKey } };
}

async function writeSecretFile(path: string, content: string): Promise<void> {
  const checkout = checkoutAround(path);
  if (checkout !== undefined)
    throw new UsageError(
      `${path} is in the checkout ${checkout}, where it could be committed; name a file outside, such as ~/${basename(path)}`,
    );
  await writeFile(path, content, { mode: 0o400, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} cannot be written (${error.code ?? 'unknown error'}); a file that exists is kept`);
  });
}

/** The Git checkout that a file would be in. */
function checkoutAround(path: string): string | undefined {
  let folder = dirname(resolve(path));
  while (!existsSync(join(folder, '.git'))) {
    if (folder === dirname(folder)) return undefined;
    folder = dirname(folder);
  }
  return folder;
}

function newOperatorKey() {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { pem, publicKey: publicKeyText(privateKey) };
}

/** Reads the xpub of a seed file, plain or encrypted by age. @throws SeedFileError */
export async function xpubOf(options: { readonly seed: string; readonly passphraseFile?: string }): Promise<Printed> {
  const xpub = accountXpub(await readSeedFile(options.seed, options.passphraseFile));
  return { text: xpub, json: { xpub } };
}

/** Options of `secrets`. */
export interface SecretsOptions {
  readonly name?: string;
  readonly namespace?: string;
  readonly seed?: string;
  readonly operator?: string;
  readonly natsNamespace?: string;
  readonly mongodbNamespace?: string;
}

/**
 * Makes the keys of an installation: a Secret for the chart's `secrets.keys`; with options also the servers' Secrets, as a List.
 * @returns the manifest, and advice for the person who runs the command @throws UsageError @throws SeedFileError
 */
export async function makeSecrets(options: SecretsOptions): Promise<{ manifest: Printed; advice: string }> {
  const phrase = options.seed === undefined ? newMnemonic() : (await readSeedFile(options.seed)).trim();
  const agreementKey = generatePrivateKey();
  const site = newApiKey('public');
  const operator = newApiKey('operator');
  const { name = DEFAULT_NAME, namespace, natsNamespace, mongodbNamespace } = options;
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
    ...(options.operator !== undefined && operatorKeys(options.operator)),
  });
  const natsUsers = renamed(nats, (service) => `NATS_${service.toUpperCase().replaceAll('-', '_')}_PASSWORD`);
  const servers = [
    ...(natsNamespace ? [secret('nats-passwords', natsNamespace, natsUsers)] : []),
    ...(mongodbNamespace
      ? [secret('mongodb-passwords', mongodbNamespace, { administrator: newPassword(), ...mongodb })]
      : []),
  ];
  const manifest = servers.length === 0 ? product : { apiVersion: 'v1', kind: 'List', items: [product, ...servers] };
  return {
    manifest: { text: `${JSON.stringify(manifest, null, 2)}\n`, json: manifest, isExact: true },
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

/** A password of characters that need no encoding in a URL. */
const newPassword = (): string => randomBytes(24).toString('base64url');

/** A password for each service. */
const passwords = (): Record<string, string> =>
  Object.fromEntries(SERVER_USERS.map((service) => [service, newPassword()]));

const renamed = (entries: Readonly<Record<string, string>>, name: (key: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(entries).map(([key, value]) => [name(key), value]));

function operatorKeys(name: string) {
  if (!operatorNameSchema.safeParse(name).success) throw new UsageError(`'${name}' is not the name of an operator`);
  const { pem, publicKey } = newOperatorKey();
  return { 'operator.key': pem, 'operator-keys': `${name}:${publicKey}` };
}

const newApiKey = (scope: 'public' | 'operator') => `maker_${scope}_${randomBytes(24).toString('base64url')}`;
const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');
