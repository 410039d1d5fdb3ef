import { createHash, createHmac } from 'node:crypto';

/**
 * The proof with which the holder of a job's stop secret ends the job at maker-executor. No one can derive the secret from it, so the
 * proof has no other use. Source: docs/adr/0120.
 */
export function stopProof(stopSecret: string): string {
  return createHmac('sha256', stopSecret).update('stop').digest('hex');
}

/** The hash that verifies a proof. One SHA-256 is enough: the secret has 192 random bits. */
export function stopCommitment(proof: string): string {
  return createHash('sha256').update(proof).digest('hex');
}
