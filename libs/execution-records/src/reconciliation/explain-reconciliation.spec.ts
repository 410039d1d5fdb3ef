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
  it('reports equality with the book in one line', () => {
    const answer = reconciliationResponseSchema.parse(explain({}));
    expect(answer).toMatchObject({ verdict: 'equal', differenceWei: '0' });
    expect(answer.explanation[0]).toBe(
      'the ledger: 0.5 HYPE came = fee 0 + orders 0 + gas 0 + returned 0 + held 0 + free 0.5',
    );
  });

  it('counts extra deposits and reports unexplained money', () => {
    const totals = { ...execution.totals, surplusWei: parseHype('0.25') };
    const { explanation } = explain({ chainWei: HALF + parseHype('0.25') }, { ...execution, totals });
    expect(explanation.slice(0, 2)).toEqual([
      'the ledger: 0.75 HYPE came = fee 0 + orders 0 + gas 0 + returned 0 + held 0 + free 0.75',
      '0.25 HYPE came that no known deposit explains',
    ]);
  });

  it.each<[string, Partial<WalletFacts>, string]>([
    ['what is equal', {}, 'the chain shows 0.5 HYPE at block 9: exactly what the ledger says'],
    [
      'a surplus',
      { chainWei: HALF + 1n },
      'the chain shows 0.500000000000000001 HYPE at block 9, 0.000000000000000001 more than the ledger: the next check books it, then it is returned or held',
    ],
    [
      'what is missing',
      { chainWei: HALF - 1n },
      'the chain shows 0.499999999999999999 HYPE at block 9, 0.000000000000000001 less than the ledger, and no transaction of ours explains it',
    ],
    [
      'open transactions',
      { openTransactions: 2 },
      'the chain shows 0.5 HYPE at block 9; 2 transactions are not final, so both may differ without a fault',
    ],
    [
      'nonces of others',
      { usedNonces: 5, signedNonces: 3 },
      '2 transactions of this wallet were not signed by this service: its key is used elsewhere',
    ],
    [
      'nonces of ours',
      { usedNonces: 3, signedNonces: 3 },
      'the chain shows 0.5 HYPE at block 9: exactly what the ledger says',
    ],
  ])('explains %s in one sentence behind the book', (_, facts, sentence) => {
    expect(explain(facts).explanation.slice(1)).toEqual([sentence]);
  });

  it('reports held money, its reason and sums by kind', () => {
    const totals = { ...execution.totals, heldWei: 7n, order_gasWei: 2n, gasWei: 3n };
    const answer = explain({}, { ...execution, totals, heldReason: 'dust' });
    expect(answer.heldWei).toBe('7');
    expect(answer.expectedWei).toBe(`${HALF - 5n}`);
    expect(answer.totals).toMatchObject({ deposit: `${HALF}`, held: '7', order_gas: '2', gas: '3' });
    expect(answer.explanation[0]).toContain('gas 0.000000000000000005 + returned 0 + held 0.000000000000000007');
    expect(answer.explanation[1]).toBe('held because dust');
  });

  it('names up to 50 returns and counts the rest', () => {
    const named = (count: number) => {
      const refunds = Array.from({ length: count }, (_, index) => ({ id: `r${index}`, amountWei: 1n, state: 'due' }));
      return explain({}, execution, refunds as Refund[]).explanation.slice(1, -1);
    };
    expect(named(50)).toHaveLength(50);
    expect(named(50)[0]).toBe('return r0 of 0.000000000000000001 HYPE: due');
    expect(named(51)).toHaveLength(51);
    expect(named(51)[0]).toBe('51 returns in all; these are the newest:');
    expect(named(51)[1]).toBe('return r1 of 0.000000000000000001 HYPE: due');
  });

  it('names only the newest returns', () => {
    const refunds = Array.from({ length: 10_000 }, (_, index) => ({ id: `r${index}`, amountWei: 1n, state: 'due' }));
    const { explanation } = explain({}, execution, refunds as Refund[]);
    expect(explanation.length).toBeLessThan(60);
    expect(explanation.join('\n')).toMatch(/10000 returns in all[\s\S]*r9999/);
  });

  it('reports the loss of a stopped wallet', () => {
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

  it('reports the balance of a wallet without ledger', () => {
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
    expect(none).toMatchObject({
      verdict: 'no_ledger',
      chainWei: '3',
      expectedWei: '0',
      differenceWei: '3',
      heldWei: '0',
    });
    expect(none.totals).toEqual({});
    expect(none.explanation).toEqual([
      'the chain shows 0.000000000000000003 HYPE at block 9; this job has no execution',
    ]);
  });
});
