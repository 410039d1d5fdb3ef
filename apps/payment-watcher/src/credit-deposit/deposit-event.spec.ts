import { expect, it } from 'vitest';
import { DEADLINE_MS, depositOf, PAYER, TRANSACTION, WALLET } from '../deposit/deposit.fixture.ts';
import { depositEvent } from './deposit-event.ts';

it('omits an unknown sender and transaction', () => {
  const known = {
    depositId: `${WALLET}:${TRANSACTION}`,
    kind: 'transfer',
    amountWei: '5',
    blockNumber: 10,
    occurrence: 2,
    blockAt: new Date(DEADLINE_MS - 1000).toISOString(),
  };
  expect(depositEvent(depositOf({ occurrence: 2 }))).toEqual(known);
  const whole = depositOf({ occurrence: 2, from: PAYER, transactionHash: TRANSACTION });
  expect(depositEvent(whole)).toEqual({ ...known, from: PAYER, transactionHash: TRANSACTION });
});
