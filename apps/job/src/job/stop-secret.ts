import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new secret that stops a job, of 192 random bits: told once, kept as {@link hashStopSecret} only. */
export function newStopSecret(): string {
  return `stop_${randomBytes(24).toString('base64url')}`;
}

/** What is kept of a secret. One SHA-256 will do: nobody can try 192 random bits. */
export function hashStopSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Whether a secret is one of those that were told. Compares with every hash, each in constant time. */
export function isStopSecret(secret: string, hashes: readonly string[]): boolean {
  const presented = Buffer.from(hashStopSecret(secret), 'hex');
  return hashes.map((hash) => timingSafeEqual(Buffer.from(hash, 'hex'), presented)).includes(true);
}
