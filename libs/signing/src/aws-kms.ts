import { type KeyService, KeyServiceError } from './key-service.ts';

/** The used part of AWS KMS; `new KMS({ region })` of `@aws-sdk/client-kms` implements it. */
export interface AwsKms {
  getPublicKey(request: { KeyId: string }): Promise<{
    readonly PublicKey?: Uint8Array | undefined;
    readonly KeySpec?: string | undefined;
    readonly KeyUsage?: string | undefined;
  }>;
  sign(request: {
    KeyId: string;
    Message: Uint8Array;
    MessageType: 'DIGEST';
    SigningAlgorithm: 'ECDSA_SHA_256';
  }): Promise<{ readonly Signature?: Uint8Array | undefined }>;
}

/**
 * Creates a key service for an AWS KMS key with key spec `ECC_SECG_P256K1` and usage `SIGN_VERIFY`.
 * https://docs.aws.amazon.com/kms/latest/APIReference/API_Sign.html
 * @param keyId ARN of the key: an alias may later point to another key
 */
export function awsKmsKey(kms: AwsKms, keyId: string): KeyService {
  return {
    async publicKey() {
      const { PublicKey, KeySpec, KeyUsage } = await kms.getPublicKey({ KeyId: keyId });
      if (KeySpec !== 'ECC_SECG_P256K1' || KeyUsage !== 'SIGN_VERIFY') {
        throw new KeyServiceError(
          `holds a key of ${KeySpec} for ${KeyUsage}: ECC_SECG_P256K1 for SIGN_VERIFY is needed`,
        );
      }
      return expectBytes(PublicKey, 'public key');
    },
    async sign(digest) {
      const { Signature } = await kms.sign({
        KeyId: keyId,
        Message: digest,
        // KMS hashes a RAW message by SHA-256; Ethereum's digest comes from another hash and needs no further one.
        MessageType: 'DIGEST',
        SigningAlgorithm: 'ECDSA_SHA_256',
      });
      return expectBytes(Signature, 'signature');
    },
  };
}

function expectBytes(bytes: Uint8Array | undefined, what: string): Uint8Array {
  if (!bytes) throw new KeyServiceError(`answered without a ${what}`);
  return bytes;
}
