import { createHash, createHmac } from 'node:crypto';

/**
 * The proof by which the holder of a job's stop secret ends the job at maker-executor. The secret cannot be derived from it, so the proof
 * has no other use. Source: docs/adr/0120.
 */
export function stopProof(stopSecret: string): string {
  return createHmac('sha256', stopSecret).update('stop').digest('hex');
}

/** The hash by which a proof is checked. One SHA-256 is enough: the secret has 192 random bits. */
export function stopCommitment(proof: string): string {
  return createHash('sha256').update(proof).digest('hex');
}
