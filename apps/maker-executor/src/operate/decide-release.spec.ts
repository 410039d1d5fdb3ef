import { describe, expect, it } from 'vitest';
import type { Execution } from '../execution/execution.ts';
import { neverRan } from '../execution/new-execution.ts';
import type { Refund } from '../refund/refund.ts';
import { decideRelease } from './decide-release.ts';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const PAYER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const OTHER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

const job = { jobId: 'job_1', tokenAddress: OTHER, walletAddress: WALLET, walletIndex: 1 } as const;
const base = neverRan(job, WALLET, new Date(0));

function holding(differences: Partial<Execution> = {}): Execution {
  return { ...base, totals: { ...base.totals, surplusWei: 9n, heldWei: 9n }, ...differences };
}

const refund = (differences: Partial<Refund> = {}): Refund => ({
  id: 'r',
  jobId: 'job_1',
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

describe('decideRelease (design § 4: held for an operator with a reason)', () => {
  it('takes all that is held to the address that the operator names', () => {
    expect(decideRelease(holding(), [], OTHER)).toEqual({ to: OTHER, amountWei: 9n });
  });

  it('without one takes the address on record: the job’s, or the only recipient of what is held', () => {
    expect(decideRelease(holding({ returnAddress: OTHER }), [refund()], undefined).to).toBe(OTHER);
    expect(decideRelease(holding(), [refund()], undefined).to).toBe(PAYER);
    const two = [refund(), refund({ id: 's', to: OTHER })];
    expect(() => decideRelease(holding(), two, undefined)).toThrow(refused);
    expect(() => decideRelease(holding(), [refund({ to: null })], undefined)).toThrow(refused);
  });

  it.each([
    ['nothing is held', base, []],
    ['the job is at work', holding({ phase: 'trading' }), []],
    ['a return is under way', holding(), [refund({ state: 'due' })]],
    ['the wallet is not of this seed', holding({ phase: 'refused' }), []],
  ])('refuses where %s', (_, execution, refunds) => {
    expect(() => decideRelease(execution, refunds, OTHER)).toThrow(refused);
  });

  it('refuses the wallet itself', () => {
    expect(() => decideRelease(holding(), [], WALLET)).toThrow(/own wallet/);
  });

  it('releases tokens where only those are held', () => {
    const tokens = { ...base, totals: { ...base.totals, boughtWei: 5n } };
    expect(decideRelease(tokens, [], OTHER).amountWei).toBe(0n);
  });
});
