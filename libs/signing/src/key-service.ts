/**
 * One secp256k1 key that never leaves its key service, with the functions of AWS KMS. Implementations contain the
 * client of the service, so that the signer does not depend on a vendor's SDK.
 */
export interface KeyService {
  /** The public key as DER SubjectPublicKeyInfo (RFC 5480). */
  publicKey(): Promise<Uint8Array>;
  /**
   * Signs a digest without hashing it again.
   * @param digest 32 bytes
   * @returns DER Ecdsa-Sig-Value (RFC 3279), with either valid value of s
   */
  sign(digest: Uint8Array): Promise<Uint8Array>;
}

/** The answer of a key service is unusable; the signer signs nothing. */
export class KeyServiceError extends Error {
  readonly code = 'KEY_SERVICE_UNUSABLE';

  constructor(problem: string) {
    super(`The key service ${problem}`);
    this.name = 'KeyServiceError';
  }
}
