import { randomBytes, timingSafeEqual } from 'node:crypto';
import { stopCommitment, stopProof } from '@maker/signing/commands';

/** A new secret that stops a job, of 192 random bits: told once, kept as {@link hashStopSecret} only. */
export function newStopSecret(): string {
  return `stop_${randomBytes(24).toString('base64url')}`;
}

/** What is kept of a secret, and what maker-executor checks its proof by. Source: docs/adr/0120. */
export function hashStopSecret(secret: string): string {
  return stopCommitment(stopProof(secret));
}

/** Whether a secret is one of those that were told. Compares with every hash, each in constant time. */
export function isStopSecret(secret: string, hashes: readonly string[]): boolean {
  const presented = Buffer.from(hashStopSecret(secret), 'hex');
  return hashes.map((hash) => timingSafeEqual(Buffer.from(hash, 'hex'), presented)).includes(true);
}
