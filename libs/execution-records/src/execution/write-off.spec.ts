import { describe, expect, it } from 'vitest';
import { addEntries, expectedBalance, freeBalance, heldBalance, ledgerEntry } from '../ledger/ledger-entry.ts';
import { startedExecution, WALLET } from './started-execution.fixture.ts';
import { writeOff } from './write-off.ts';

const NOW = new Date(0);
const execution = startedExecution({ tokenAddress: WALLET });
const held = ledgerEntry('x', 'held', {
  jobId: execution.id,
  amountWei: 900n,
  transactionHash: null,
  blockNumber: null,
  recordedAt: NOW,
});

describe('writeOff (design § 5: the ledger is equal to the chain)', () => {
  it('books a loss out of free money', () => {
    const { missingWei, change } = writeOff(execution, 400n, NOW);
    expect(missingWei).toBe(600n);
    expect(expectedBalance(change.totals)).toBe(400n);
    expect(change).toEqual({ totals: change.totals, driftWei: 0n });
  });

  it('names each loss apart', () => {
    const [first, again, second] = [3, 3, 4].map((revision) => writeOff({ ...execution, revision }, 400n, NOW));
    const ids = (off?: ReturnType<typeof writeOff>) => off?.entries.map(({ id }) => id);
    expect(ids(first)).toEqual(ids(again));
    expect(ids(first)).not.toEqual(ids(second));
    expect(ids(first)?.[0]).toContain(execution.id);
  });

  it('takes the rest out of held money', () => {
    const holding = { ...execution, totals: addEntries(execution.totals, [held]) };
    const { entries, change } = writeOff(holding, 0n, NOW);
    expect(entries.map(({ kind, amountWei }) => [kind, amountWei])).toEqual([
      ['released', 900n],
      ['missing', 1000n],
    ]);
    expect([freeBalance(change.totals), heldBalance(change.totals)]).toEqual([0n, 0n]);
  });

  it('books no loss without missing money', () => {
    expect(writeOff(execution, 1000n, NOW)).toMatchObject({ missingWei: 0n, entries: [] });
    expect(writeOff(execution, 1001n, NOW)).toMatchObject({ missingWei: 0n, entries: [] });
  });
});
