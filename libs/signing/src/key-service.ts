/**
 * One secp256k1 key that a key service holds and never gives away, in the shape of AWS KMS. Whatever talks to the
 * service stands behind it, so that no vendor's SDK is a dependency of the signer.
 */
export interface KeyService {
  /** The public key as DER SubjectPublicKeyInfo (RFC 5480). */
  publicKey(): Promise<Uint8Array>;
  /**
   * Signs a digest as it is, without hashing it again.
   * @param digest 32 bytes
   * @returns DER Ecdsa-Sig-Value (RFC 3279), with any of the two values of s that are valid
   */
  sign(digest: Uint8Array): Promise<Uint8Array>;
}

/** What a key service gave cannot be used; nothing is signed with it. */
export class KeyServiceError extends Error {
  readonly code = 'KEY_SERVICE_UNUSABLE';

  constructor(problem: string) {
    super(`The key service ${problem}`);
    this.name = 'KeyServiceError';
  }
}
