import { stopSecretHashSchema, stopSecretSchema } from '@maker/contracts';
import { stopCommitment, stopProof } from '@maker/signing/commands';
import { describe, expect, it } from 'vitest';
import { hashStopSecret, newStopSecret } from './stop-secret.ts';

describe('newStopSecret', () => {
  it('makes secret and hash as the service checks them', async () => {
    const { stopSecret, stopSecretHash } = await newStopSecret();
    expect(stopSecretSchema.parse(stopSecret)).toBe(stopSecret);
    expect(stopSecretHashSchema.parse(stopSecretHash)).toBe(stopCommitment(stopProof(stopSecret)));
    expect((await newStopSecret()).stopSecret).not.toBe(stopSecret);
  });

  it('hashes a known secret to its known hash', async () => {
    const hash = '42034176083ce213b320bcd6f0044ddb94d98fccfdb9d47cadee5efe8e190875';
    expect(await hashStopSecret('stop_AbCdEfGhIjKlMnOpQrStUvWxYz012345')).toBe(hash);
  });
});
