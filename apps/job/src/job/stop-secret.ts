import { randomBytes, timingSafeEqual } from 'node:crypto';
import { stopCommitment, stopProof } from '@maker/signing/commands';

/** Makes a new stop secret of 192 random bits. One answer shows it; the service keeps only {@link hashStopSecret} of it. */
export function newStopSecret(): string {
  return `stop_${randomBytes(24).toString('base64url')}`;
}

/** The stored hash of a secret, by which maker-executor verifies a proof. Source: docs/adr/0120. */
export function hashStopSecret(secret: string): string {
  return stopCommitment(stopProof(secret));
}

/** Whether a secret has one of these hashes. Compares with every hash, each in constant time. */
export function isStopSecret(secret: string, hashes: readonly string[]): boolean {
  const presented = Buffer.from(hashStopSecret(secret), 'hex');
  return hashes.map((hash) => timingSafeEqual(Buffer.from(hash, 'hex'), presented)).includes(true);
}
