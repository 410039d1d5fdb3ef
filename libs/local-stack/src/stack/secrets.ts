import { createHash, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateMnemonic, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { Hex } from 'viem';
import { generatePrivateKey, HDKey, privateKeyToAccount } from 'viem/accounts';

/** The secrets that a stack generates at its first start. */
export interface StackSecrets {
  /** File with the BIP-39 phrase of the job wallets, readable by its owner only. */
  seedFile: string;
  /** Public half of the phrase's account, for job. */
  xpub: string;
  /** File with the keys' hashes, in api-gateway's format. */
  apiKeysFile: string;
  /** File with the key that signs agreements, readable by its owner only, and its address. */
  agreementKeyFile: string;
  agreementSigner: string;
  apiKey: string;
  operatorApiKey: string;
  /** Two operators, since some commands need a second one. */
  operators: readonly StackOperator[];
}

/** An operator whose signed commands the stack executes. */
export interface StackOperator {
  name: string;
  /** File of their private key, readable by its owner only. */
  keyFile: string;
  /** The public half, in the format of the executor's configuration. */
  publicKey: string;
}

const OPERATORS = ['operator', 'second-operator'];

/** Returns the file's content; creates it if it is missing. */
async function readOrMake(path: string, make: () => string, mode: number): Promise<string> {
  const kept = await readFile(path, 'utf8').catch(() => undefined);
  if (kept !== undefined) return kept;
  const content = make();
  await writeFile(path, content);
  await chmod(path, mode);
  return content;
}

/** Derives the xpub as an operator does from a phrase: only code that signs imports the private half of signing. */
function accountXpub(mnemonic: string): string {
  return HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive("m/44'/60'/0'").publicExtendedKey;
}

async function prepareOperator(directory: string, name: string): Promise<StackOperator> {
  const keyFile = join(directory, `${name}.key`);
  const make = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const { x } = createPublicKey(await readOrMake(keyFile, make, 0o400)).export({ format: 'jwk' });
  return { name, keyFile, publicKey: String(x) };
}

function makeApiKey(kind: 'public' | 'operator'): string {
  return `maker_${kind}_${randomBytes(24).toString('base64url')}`;
}

/** Generates the stack's seed, API keys and operators' keys in `directory`, or reads those of an earlier start. */
export async function prepareSecrets(directory: string): Promise<StackSecrets> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const seedFile = join(directory, 'seed');
  const seed = await readOrMake(seedFile, () => generateMnemonic(wordlist), 0o400);
  const apiKey = await readOrMake(join(directory, 'api-key'), () => makeApiKey('public'), 0o600);
  const operatorApiKey = await readOrMake(join(directory, 'operator-api-key'), () => makeApiKey('operator'), 0o600);
  const sha256 = (key: string): string => createHash('sha256').update(key).digest('hex');
  const apiKeysFile = join(directory, 'api-keys.json');
  const keys = [
    { name: 'web', sha256: sha256(apiKey), scopes: ['public'] },
    { name: 'operator', sha256: sha256(operatorApiKey), scopes: ['public', 'operator'] },
  ];
  await writeFile(apiKeysFile, JSON.stringify(keys, null, 2));
  const agreementKeyFile = join(directory, 'agreement-key');
  const agreementKey = await readOrMake(agreementKeyFile, generatePrivateKey, 0o400);
  const agreementSigner = privateKeyToAccount(agreementKey as Hex).address;
  const operators = await Promise.all(OPERATORS.map((name) => prepareOperator(directory, name)));
  const agreements = { agreementKeyFile, agreementSigner };
  return { seedFile, xpub: accountXpub(seed), ...agreements, apiKeysFile, apiKey, operatorApiKey, operators };
}
