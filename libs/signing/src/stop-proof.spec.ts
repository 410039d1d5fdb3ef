import { describe, expect, it } from 'vitest';
import { stopCommitment, stopProof } from './stop-proof.ts';

describe('the proof of a stop secret', () => {
  it('differs for each secret and does not contain it', () => {
    const proof = stopProof('stop_one');
    expect(proof).toMatch(/^[0-9a-f]{64}$/);
    expect(stopProof('stop_one')).toBe(proof);
    expect(stopProof('stop_two')).not.toBe(proof);
  });

  it('differs from its commitment', () => {
    const proof = stopProof('stop_one');
    expect(stopCommitment(proof)).not.toBe(proof);
    expect(stopCommitment(stopProof('stop_two'))).not.toBe(stopCommitment(proof));
  });
});
