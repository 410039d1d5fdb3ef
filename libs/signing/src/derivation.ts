import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { HDKey } from '@scure/bip32';
import { type Address, bytesToHex } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import { walletPath } from './wallet-path.ts';

export { isSeedProof, seedProofTypedData } from './seed-proof.ts';
export { InvalidWalletIndexError, indexInSeries, WALLETS_IN_SERIES, walletPath } from './wallet-path.ts';

/** Depth of an account key, `m/44'/60'/0'`. */
const ACCOUNT_DEPTH = 3;

type Point = InstanceType<typeof secp256k1.Point>;

/** The data for the derivation of all children, each part read once. */
interface Parent {
  readonly external: HDKey;
  readonly publicKey: Uint8Array;
  readonly point: Point;
  readonly chainCode: KeyObject;
}

/** The key is not an account-level extended public key; the message never contains the key. */
export class InvalidAccountXpubError extends Error {
  readonly code = 'INVALID_ACCOUNT_XPUB';

  constructor(problem: string) {
    super(`The account xpub ${problem}; expected the extended public key of m/44'/60'/0'`);
    this.name = 'InvalidAccountXpubError';
  }
}

/**
 * Derives a wallet's address by its {@link walletPath} from the account's public key. Source: design § 4 'Address', design § 6.
 * @param accountXpub base58 `xpub…` of `m/44'/60'/0'`
 * @returns the EIP-55 checksummed address
 * @throws InvalidAccountXpubError for any other text, including a private key (`xprv…`)
 * @throws InvalidWalletIndexError
 */
export function deriveAddress(accountXpub: string, index: number): Address {
  return walletAddresses(accountXpub)(index);
}

/**
 * The same for many indexes: derives their common part once.
 * @throws InvalidAccountXpubError; InvalidWalletIndexError from the returned function
 */
export function walletAddresses(accountXpub: string): (index: number) => Address {
  const account = parseAccountXpub(accountXpub);
  let [change, parent] = [0, parentOf(account, 0)];
  return (walletIndex) => {
    const path = walletPath(walletIndex);
    if (path.change !== change) [change, parent] = [path.change, parentOf(account, path.change)];
    return addressOf(childOf(parent, path.index));
  };
}

function parentOf(account: HDKey, change: number): Parent {
  const external = account.deriveChild(change);
  const { publicKey, chainCode } = external;
  if (!publicKey || !chainCode) throw new InvalidAccountXpubError('holds no public key');
  return { external, publicKey, point: pointOf(external), chainCode: createSecretKey(chainCode) };
}

/**
 * Derives the point of a child, BIP-32's CKDpub. `HDKey` would parse the parent's point for each child, and use constant-time
 * multiplication for a number that is no secret. It handles only the cases that no known HMAC produces.
 */
function childOf({ external, publicKey, point, chainCode }: Parent, index: number): Point {
  const written = Buffer.alloc(4);
  written.writeUInt32BE(index);
  const hash = createHmac('sha512', chainCode).update(publicKey).update(written).digest('hex');
  const tweak = BigInt(`0x${hash.slice(0, hash.length / 2)}`);
  if (!secp256k1.Point.Fn.isValidNot0(tweak)) return pointOf(external.deriveChild(index));
  const child = secp256k1.Point.BASE.multiplyUnsafe(tweak).add(point);
  return child.is0() ? pointOf(external.deriveChild(index)) : child;
}

function parseAccountXpub(accountXpub: string): HDKey {
  const key = readExtendedKey(accountXpub);
  if (key.privateKey) throw new InvalidAccountXpubError('is a private key, which must never leave maker-executor');
  if (key.depth !== ACCOUNT_DEPTH) throw new InvalidAccountXpubError(`is at depth ${key.depth}`);
  return key;
}

function readExtendedKey(accountXpub: string): HDKey {
  try {
    return HDKey.fromExtendedKey(accountXpub.trim());
  } catch {
    throw new InvalidAccountXpubError('cannot be read');
  }
}

function pointOf({ publicKey }: HDKey): Point {
  if (!publicKey) throw new InvalidAccountXpubError('holds no public key');
  return secp256k1.Point.fromBytes(publicKey);
}

function addressOf(point: Point): Address {
  return publicKeyToAddress(bytesToHex(point.toBytes(false)));
}
