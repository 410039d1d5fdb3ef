import type { Agreement } from '@maker/contracts';
import { AgreementKey } from './agreement-key.ts';

/** A public key of agreements, for specs and demonstrations. */
export const TEST_AGREEMENT_KEY = `0x${'a7'.repeat(32)}`;

/** Signs with {@link TEST_AGREEMENT_KEY}. */
export const testAgreementKey = AgreementKey.of(TEST_AGREEMENT_KEY);

/** An agreement for 0.5 HYPE. */
export function agreementFixture(differences: Partial<Agreement> = {}): Agreement {
  return {
    jobId: `job_${'a'.repeat(32)}`,
    chainId: 31337,
    wallet: `0x${'2'.repeat(40)}`,
    tokenAddress: `0x${'1'.repeat(40)}`,
    amountWei: '500000000000000000',
    leastWei: '495000000000000000',
    deadline: '2026-01-01T00:15:00.000Z',
    returnAddress: null,
    seenPriceX96: '79228162514264337593543950336',
    bandBps: 1000,
    slippageBps: 100,
    impactCapBps: 50,
    latestEndAt: '2026-01-03T00:00:00.000Z',
    stopSecretHash: 'ab'.repeat(32),
    claim: 'cd'.repeat(32),
    createdAt: '2026-01-01T00:00:00.000Z',
    ...differences,
  };
}
