import { parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { activeJob } from '../receipt/receipt.fixture.ts';
import { transferOf } from './transfer.ts';

const pending = (received: string) =>
  activeJob({ status: 'pending_payment', paymentReceived: false, receivedWei: parseHype(received).toString() });
const deadline = Date.parse(pending('0').paymentDeadline);
const job = {
  ...pending('0'),
  token: { tokenAddress: '0x1', liquidityStatus: { meetsMinimum: true, hasV2: true, hasV3: false } },
};
const budgetWei = parseHype('0.5');

describe('transferOf', () => {
  it('asks for the whole budget before the first answer', () => {
    expect(transferOf(job, undefined, deadline - 5000)).toEqual({
      state: 'due',
      budgetWei,
      dueWei: budgetWei,
      leftMs: 5000,
    });
  });

  it('asks only for what is missing once a part arrived, so that nobody pays twice', () => {
    expect(transferOf(job, pending('0.3'), deadline - 1)).toMatchObject({ state: 'due', dueWei: parseHype('0.2') });
  });

  it('asks for nothing after the deadline or the end', () => {
    expect(transferOf(job, pending('0.3'), deadline)).toEqual({ state: 'over', budgetWei });
    expect(transferOf(job, { ...pending('0'), status: 'cancelled' }, deadline - 1)).toEqual({
      state: 'over',
      budgetWei,
    });
  });

  it.each(['active', 'of_a_newer_version'])(
    'neither asks for anything nor forbids it while the job is %s',
    (status) => {
      const unknown = { ...pending('0'), status: status as 'active' };
      expect(transferOf(job, unknown, deadline - 1)).toEqual({ state: 'waiting', budgetWei });
    },
  );

  it('is done when the payment was received, whatever the clock says', () => {
    expect(transferOf(job, activeJob(), deadline + 1)).toEqual({ state: 'received', budgetWei });
  });
});
