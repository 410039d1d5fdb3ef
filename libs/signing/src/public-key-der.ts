import { secp256k1 } from '@noble/curves/secp256k1.js';
import { type Address, bytesToHex, size } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import { KeyServiceError } from './key-service.ts';

/**
 * SubjectPublicKeyInfo up to the point itself: id-ecPublicKey, secp256k1, a bit string of 65 bytes. DER writes it in
 * one way only, so that comparing it is the whole of parsing it.
 */
const SECP256K1_PREFIX = '0x3056301006072a8648ce3d020106052b8104000a034200';
const PREFIX_BYTES = size(SECP256K1_PREFIX);
const UNCOMPRESSED_POINT_BYTES = 65;

/**
 * Address of a secp256k1 public key.
 * @param der SubjectPublicKeyInfo with an uncompressed point, as KMS and OpenSSL write it
 * @returns EIP-55 checksummed
 * @throws KeyServiceError for a key of another curve or kind, and for a point that is not on the curve
 */
export function addressOfPublicKey(der: Uint8Array): Address {
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
