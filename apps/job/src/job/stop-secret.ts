import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isUnguessableKey } from '@maker/rules';
import { stopCommitment, stopProof } from '@maker/signing/commands';

/** 192 bits. */
const SECRET_BYTES = 24;

const secretOf = (bytes: Buffer) => `stop_${bytes.subarray(0, SECRET_BYTES).toString('base64url')}`;

/** Parts of a creation that decide who makes the stop secret. */
export interface SecretRequest {
  readonly idempotencyKey?: string | undefined;
  /** Hash of a secret that only the client knows. */
  readonly stopSecretHash?: string | undefined;
}

/** Makes the stop secret of a new job; undefined if the client keeps its own. The service stores only the hash. */
export function newStopSecret(
  jobId: string,
  request: SecretRequest,
): { readonly stopSecret: string | undefined; readonly stopSecretHash: string } {
  const { stopSecretHash } = request;
  if (stopSecretHash !== undefined) return { stopSecret: undefined, stopSecretHash };
  const secret = repeatedStopSecret(jobId, request) ?? secretOf(randomBytes(SECRET_BYTES));
  return { stopSecret: secret, stopSecretHash: hashStopSecret(secret) };
}

/**
 * The stop secret that a repeated creation gets again: undefined if the client keeps its own, or if others can guess the idempotency
 * key. It is derived from the key, so that it needs no store. Source: docs/adr/0144.
 */
export function repeatedStopSecret(
  jobId: string,
  { idempotencyKey, stopSecretHash }: SecretRequest,
): string | undefined {
  if (stopSecretHash !== undefined || idempotencyKey === undefined || !isUnguessableKey(idempotencyKey)) {
    return undefined;
  }
  return secretOf(createHmac('sha256', idempotencyKey).update(`stop secret of ${jobId}`).digest());
}

/** The stored hash of a secret, by which maker-executor verifies a proof. Source: docs/adr/0120. */
export function hashStopSecret(secret: string): string {
  return stopCommitment(stopProof(secret));
}

/** Whether a secret has this hash. Compares in constant time. */
export function isStopSecret(secret: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(hash, 'hex'), Buffer.from(hashStopSecret(secret), 'hex'));
}
