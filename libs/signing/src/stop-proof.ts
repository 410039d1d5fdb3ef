import { createHash, createHmac } from 'node:crypto';

/**
 * What the holder of a job's stop secret shows to maker-executor to end the job. Nobody derives the secret from it, so that it does
 * nothing else. Source: docs/adr/0120.
 */
export function stopProof(stopSecret: string): string {
  return createHmac('sha256', stopSecret).update('stop').digest('hex');
}

/** What is kept to check a proof by. One SHA-256 will do: nobody can try 192 random bits. */
export function stopCommitment(proof: string): string {
  return createHash('sha256').update(proof).digest('hex');
}
