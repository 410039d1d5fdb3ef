import { secp256k1 } from '@noble/curves/secp256k1.js';
import {
  type Address,
  bytesToHex,
  type Hex,
  hashTypedData,
  hexToBytes,
  keccak256,
  numberToHex,
  serializeSignature,
  serializeTransaction,
  size,
  type TypedDataDefinition,
} from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import { type KeyService, KeyServiceError } from './key-service.ts';
import { type SignedTransaction, type Signer, typeTwo, type UnsignedTransaction } from './signer.ts';

/** The ids that a type 2 transaction can encode: the other two would need an r within 2^128 of the field's end. */
const RECOVERY_IDS = [0, 1] as const;

/**
 * SubjectPublicKeyInfo up to the point itself: id-ecPublicKey, secp256k1, a bit string of 65 bytes. DER has only one
 * encoding of it, so a comparison replaces parsing.
 */
const SECP256K1_PREFIX = '0x3056301006072a8648ce3d020106052b8104000a034200';
const PREFIX_BYTES = size(SECP256K1_PREFIX);
const UNCOMPRESSED_POINT_BYTES = 65;

type EcdsaSignature = ReturnType<typeof secp256k1.Signature.fromBytes>;

/** Signs by a key service: one key, one address, such as the treasury's. Source: design § 6. */
export class KeyServiceSigner implements Signer {
  readonly address: Address;
  readonly #keys: KeyService;

  private constructor(keys: KeyService, address: Address) {
    this.#keys = keys;
    this.address = address;
  }

  /** Requests the public key once. @throws KeyServiceError when it is no key of secp256k1 */
  static async open(keys: KeyService): Promise<KeyServiceSigner> {
    return new KeyServiceSigner(keys, addressOfPublicKey(await keys.publicKey()));
  }

  /**
   * Not deterministic: a key service uses a new nonce for each signature, so the same transaction signed twice has
   * two hashes. Save the result before you broadcast it.
   * @throws KeyServiceError when the signature is malformed or not by the key of this address
   */
  async signTransaction(transaction: UnsignedTransaction): Promise<SignedTransaction> {
    const unsigned = typeTwo(transaction);
    const rawTransaction = serializeTransaction(unsigned, await this.#sign(keccak256(serializeTransaction(unsigned))));
    return { rawTransaction, hash: keccak256(rawTransaction) };
  }

  /** @throws KeyServiceError like {@link signTransaction} */
  async signTypedData(typedData: TypedDataDefinition): Promise<Hex> {
    return serializeSignature(await this.#sign(hashTypedData(typedData)));
  }

  async #sign(hash: Hex): Promise<{ r: Hex; s: Hex; yParity: 0 | 1 }> {
    const digest = hexToBytes(hash);
    const signature = withLowS(readSignature(await this.#keys.sign(digest)));
    return {
      r: numberToHex(signature.r),
      s: numberToHex(signature.s),
      yParity: this.#recoveryId(signature, digest),
    };
  }

  #recoveryId(signature: EcdsaSignature, digest: Uint8Array): 0 | 1 {
    const id = RECOVERY_IDS.find((candidate) => recoverAddress(signature, candidate, digest) === this.address);
    if (id === undefined) throw new KeyServiceError(`gave a signature that is not by the key of ${this.address}`);
    return id;
  }
}

/**
 * @param der SubjectPublicKeyInfo with an uncompressed point, the output of KMS and OpenSSL
 * @throws KeyServiceError for a key of another curve or kind, and for a point outside the curve
 */
function addressOfPublicKey(der: Uint8Array): Address {
  const point = der.subarray(PREFIX_BYTES);
  if (bytesToHex(der.subarray(0, PREFIX_BYTES)) !== SECP256K1_PREFIX || point.length !== UNCOMPRESSED_POINT_BYTES) {
    throw new KeyServiceError('gave no public key of secp256k1 with an uncompressed point');
  }
  return publicKeyToAddress(bytesToHex(readPoint(point).toBytes(false)));
}

function readPoint(point: Uint8Array) {
  try {
    return secp256k1.Point.fromBytes(point);
  } catch {
    throw new KeyServiceError('gave a public key that is no point of secp256k1');
  }
}

function readSignature(der: Uint8Array): EcdsaSignature {
  try {
    return secp256k1.Signature.fromBytes(der, 'der');
  } catch {
    // The library's message would contain parts of the signature.
    throw new KeyServiceError('gave no DER signature with r and s in the range of secp256k1');
  }
}

/** Returns the signature with the lower of the two valid values of s, the only one that Ethereum accepts. Source: EIP-2. */
function withLowS(signature: EcdsaSignature): EcdsaSignature {
  if (!signature.hasHighS()) return signature;
  return new secp256k1.Signature(signature.r, secp256k1.Point.Fn.ORDER - signature.s);
}

function recoverAddress(signature: EcdsaSignature, recoveryId: 0 | 1, digest: Uint8Array): Address | undefined {
  try {
    const point = signature.addRecoveryBit(recoveryId).recoverPublicKey(digest);
    return publicKeyToAddress(bytesToHex(point.toBytes(false)));
  } catch {
    // No public key belongs to this id.
    return undefined;
  }
}
