import { reconciliationResponseSchema } from '@maker/contracts';
import { parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import type { Execution } from '../execution/execution.ts';
import { startedExecution, WALLET } from '../execution/started-execution.fixture.ts';
import type { Refund } from '../refund/refund.ts';
import { explainReconciliation, type WalletFacts } from './explain-reconciliation.ts';

const HALF = parseHype('0.5');
const jobId = `job_${'a'.repeat(32)}`;
const execution = startedExecution({ jobId, tokenAddress: WALLET, walletIndex: 1, depositWei: HALF });

const explain = (facts: Partial<WalletFacts>, known: Execution | undefined = execution, refunds: Refund[] = []) =>
  explainReconciliation(
    {
      jobId,
      walletAddress: WALLET,
      blockNumber: 9,
      chainWei: HALF,
      usedNonces: 0,
      signedNonces: 0,
      openTransactions: 0,
      ...facts,
    },
    known,
    refunds,
  );

describe('explainReconciliation (design § 5: ledger and chain to the wei)', () => {
  it('says equal where they are, with the whole book in one line', () => {
    const answer = reconciliationResponseSchema.parse(explain({}));
    expect(answer).toMatchObject({ verdict: 'equal', differenceWei: '0' });
    expect(answer.explanation[0]).toBe(
      'the ledger: 0.5 HYPE came = fee 0 + orders 0 + gas 0 + returned 0 + held 0 + free 0.5',
    );
  });

  it('counts what came beside the deposit, and says when nothing explains it', () => {
    const totals = { ...execution.totals, surplusWei: parseHype('0.25') };
    const { explanation } = explain({ chainWei: HALF + parseHype('0.25') }, { ...execution, totals });
    expect(explanation.slice(0, 2)).toEqual([
      'the ledger: 0.75 HYPE came = fee 0 + orders 0 + gas 0 + returned 0 + held 0 + free 0.75',
      '0.25 HYPE came that no known deposit explains',
    ]);
  });

  it('names the newest returns only, of which strangers can cause any number', () => {
    const refunds = Array.from({ length: 10_000 }, (_, index) => ({ id: `r${index}`, amountWei: 1n, state: 'due' }));
    const { explanation } = explain({}, execution, refunds as Refund[]);
    expect(explanation.length).toBeLessThan(60);
    expect(explanation.join('\n')).toMatch(/10000 returns in all[\s\S]*r9999/);
  });

  it('says how much is missing, and that the wallet is stopped', () => {
    const answer = explain({ chainWei: HALF - 1n }, { ...execution, driftWei: -1n });
    expect(answer).toMatchObject({ verdict: 'missing', differenceWei: '-1' });
    expect(answer.explanation.join('\n')).toMatch(/0.000000000000000001 less than the ledger[\s\S]*is stopped/);
  });

  it.each([
    [{ chainWei: HALF + 1n }, 'surplus'],
    [{ usedNonces: 2 }, 'foreign_nonces'],
    [{ openTransactions: 1, chainWei: 0n }, 'open_transactions'],
  ] as const)('names %o: %s', (facts, verdict) => {
    expect(explain(facts).verdict).toBe(verdict);
  });

  it('tells the balance of a wallet that has no ledger', () => {
    const none = explainReconciliation(
      {
        jobId,
        walletAddress: WALLET,
        blockNumber: 9,
        chainWei: 3n,
        usedNonces: 0,
        signedNonces: 0,
        openTransactions: 0,
      },
      undefined,
      [],
    );
    expect(none).toMatchObject({ verdict: 'no_ledger', chainWei: '3', totals: {} });
  });
});
