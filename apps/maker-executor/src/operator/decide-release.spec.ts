import { beginAttempts, type Execution, neverRan, type Refund } from '@maker/execution-records';
import { TRUST } from '@maker/execution-records/testing';
import { agreementFixture, termsFixture } from '@maker/signing/testing';
import type { Address } from 'viem';
import { describe, expect, it } from 'vitest';
import { decideRelease } from './decide-release.ts';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const PAYER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const OTHER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

const JOB = `job_${'1'.repeat(32)}`;
const job = { jobId: JOB, tokenAddress: OTHER, walletAddress: WALLET, walletIndex: 1 } as const;
const base = neverRan(job, WALLET, new Date(0));

/** The signed terms of a job that names a return address. */
const terms = (returnAddress: Address) => {
  const [wallet, to] = [WALLET, returnAddress].map((address) => address.toLowerCase() as Address);
  return termsFixture(agreementFixture({ jobId: JOB, wallet: wallet as Address, returnAddress: to as Address }));
};

function holding(differences: Partial<Execution> = {}): Execution {
  return { ...base, totals: { ...base.totals, surplusWei: 9n, heldWei: 9n }, ...differences };
}

const tokens = (boughtWei: bigint, deliveredWei: bigint): Execution => ({
  ...base,
  totals: { ...base.totals, boughtWei, deliveredWei },
});

const AT_WORK = 'The job is still at work; wait for its end or cancel it';

const refund = (differences: Partial<Refund> = {}): Refund => ({
  id: 'r',
  jobId: JOB,
  depositIds: ['d'],
  amountWei: 9n,
  to: PAYER,
  holdReason: 'dust',
  blockNumber: 1,
  state: 'held',
  recordedAt: new Date(0),
  ...differences,
});

const refused = expect.objectContaining({ code: 'NOT_POSSIBLE_NOW' });

describe('decideRelease (design § 4)', () => {
  it('sends everything to the operator’s address', () => {
    expect(decideRelease(holding(), [], OTHER, 2, true, TRUST)).toEqual({ to: OTHER, amountWei: 9n });
  });

  it('defaults to the agreed address', () => {
    expect(decideRelease(holding({ terms: terms(OTHER) }), [refund()], undefined, 1, true, TRUST).to).toBe(OTHER);
    expect(() => decideRelease(holding(), [refund()], undefined, 2, true, TRUST)).toThrow(refused);
  });

  it('sends only tokens that came by mistake', () => {
    expect(decideRelease(base, [], OTHER, 2, true, TRUST, [PAYER])).toEqual({ to: OTHER, amountWei: 0n });
    expect(() => decideRelease(base, [], OTHER, 1, true, TRUST, [PAYER])).toThrow(refused);
  });

  it.each([
    ['nothing is held', base, [], 'Nothing is held for this job'],
    ['all tokens were delivered', tokens(5n, 5n), [], 'Nothing is held for this job'],
    ['the job is at work', holding({ phase: 'trading' }), [], AT_WORK],
    [
      'a refund is being sent',
      holding({ refunding: { id: 'r', to: PAYER, amountWei: 9n, attempts: beginAttempts(0) } }),
      [],
      AT_WORK,
    ],
    ['a refund is due', holding(), [refund({ state: 'due' })], AT_WORK],
    ['another release is under way', holding(), [refund({ state: 'released' })], AT_WORK],
  ])('refuses when %s', (_, execution, refunds, message) => {
    expect(() => decideRelease(execution, refunds, OTHER, 2, true, TRUST)).toThrow(
      expect.objectContaining({ code: 'NOT_POSSIBLE_NOW', message }),
    );
  });

  it('decides by the seed of now, not by the phase', () => {
    const foreign = /^The wallet is not one of this seed: nothing can be sent$/;
    for (const phase of ['refused', 'failed'] as const) {
      const execution = holding({ phase, terms: terms(PAYER) });
      expect(() => decideRelease(execution, [], undefined, 1, false, TRUST)).toThrow(foreign);
      expect(decideRelease(execution, [], undefined, 1, true, TRUST)).toEqual({ to: PAYER, amountWei: 9n });
    }
  });

  it('requires an address when none is agreed', () => {
    expect(() => decideRelease(holding(), [], undefined, 2, true, TRUST)).toThrow(/release to an address instead/);
  });

  it('trusts no address of the database', () => {
    const changed = holding({ returnAddress: OTHER, payerClaim: { payer: OTHER, transfers: [], isProven: true } });
    for (const refunds of [[], [refund({ to: OTHER })]])
      expect(() => decideRelease(changed, refunds, undefined, 1, true, TRUST)).toThrow(/release to an address instead/);
    expect(decideRelease({ ...changed, terms: terms(PAYER) }, [], undefined, 1, true, TRUST).to).toBe(PAYER);
  });

  it('lets one operator use only the agreed address', () => {
    expect(decideRelease(holding({ terms: terms(PAYER) }), [], PAYER, 1, true, TRUST).to).toBe(PAYER);
    expect(() => decideRelease(holding({ terms: terms(PAYER) }), [], OTHER, 1, true, TRUST)).toThrow(/second operator/);
    expect(() => decideRelease(holding(), [], OTHER, 1, true, TRUST)).toThrow(/second operator/);
    expect(decideRelease(holding({ terms: terms(PAYER) }), [], OTHER, 2, true, TRUST).to).toBe(OTHER);
  });

  it('refuses the wallet itself', () => {
    expect(() => decideRelease(holding(), [], WALLET, 2, true, TRUST)).toThrow(/own wallet/);
  });

  it('releases tokens without HYPE', () => {
    expect(decideRelease(tokens(5n, 4n), [], OTHER, 2, true, TRUST).amountWei).toBe(0n);
  });
});
