import { expect, it } from 'vitest';
import type { TransactionRecord } from '../transaction/transaction.ts';
import { TRANSACTION_STATES } from '../transaction/transaction-state.ts';
import { type LeasedExecution, unconfirmed } from './leased-execution.ts';

it('counts against the eight of the mempool what no block holds yet, and nothing that is mined', () => {
  const open = TRANSACTION_STATES.map((state) => ({ id: state, state }) as TransactionRecord);
  expect(unconfirmed({ open } as unknown as LeasedExecution).map(({ id }) => id)).toEqual(['signed', 'broadcast']);
});
