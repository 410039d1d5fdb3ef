import { LEDGER_KINDS, type LedgerTotals } from '@maker/execution-records';
import { describe, expect, it } from 'vitest';
import { sessionOf } from '../session/session.fixture.ts';
import { TickSources } from './tick-sources.ts';

const { execution } = sessionOf({ id: 'job' });

/** Checks a ledger whose entries have some sums. */
function addUp(sums: LedgerTotals): Promise<true> {
  const database = { ledger: { sum: async (jobId: string) => (jobId === 'job' ? sums : undefined) } };
  return TickSources.prototype.ledgerAddsUp.call({ database } as unknown as TickSources, execution);
}

describe('the entries of a job (design § 5)', () => {
  it('add up to its totals', async () => {
    await expect(addUp(execution.totals)).resolves.toBe(true);
  });

  it.each(LEDGER_KINDS)('must not differ from them in %s', async (kind) => {
    const sums = { ...execution.totals, [`${kind}Wei`]: execution.totals[`${kind}Wei`] + 1n };
    await expect(addUp(sums)).rejects.toMatchObject({
      name: 'LedgerBrokenError',
      code: 'LEDGER_BROKEN',
      message: `The ledger of job does not add up: '${kind}' differs from its entries`,
    });
  });
});
