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

/** What all children are derived from, each piece read once. */
interface Parent {
  readonly external: HDKey;
  readonly publicKey: Uint8Array;
  readonly point: Point;
  readonly chainCode: KeyObject;
}

/** The key is not an account-level extended public key; what was passed is never repeated in the message. */
export class InvalidAccountXpubError extends Error {
  readonly code = 'INVALID_ACCOUNT_XPUB';

  constructor(problem: string) {
    super(`The account xpub ${problem}; expected the extended public key of m/44'/60'/0'`);
    this.name = 'InvalidAccountXpubError';
  }
}

/**
 * Address of the wallet with an index, at its {@link walletPath}, from the public half of the account key alone. Source: design § 4 'Address', design § 6.
 * @param accountXpub base58 `xpub…` of `m/44'/60'/0'`
 * @returns the EIP-55 checksummed address
 * @throws InvalidAccountXpubError for anything else, a private key (`xprv…`) included
 * @throws InvalidWalletIndexError
 */
export function deriveAddress(accountXpub: string, index: number): Address {
  return walletAddresses(accountXpub)(index);
}

/**
 * The same for many indexes: what they share is derived once.
 * @throws InvalidAccountXpubError; InvalidWalletIndexError from the function that it returns
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
 * The point of a child, BIP-32's CKDpub: `HDKey` would read the parent's point from its bytes for each, and hide a number that is no
 * secret. What no HMAC is known to give is left to it.
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
  if (key.depth !== ACCOUNT_DEPTH) throw new InvalidAccountXpubError(`stands at depth ${key.depth}`);
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
