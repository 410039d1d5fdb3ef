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
  it('requests the whole budget initially', () => {
    expect(transferOf(job, undefined, deadline - 5000)).toEqual({
      state: 'due',
      budgetWei,
      dueWei: budgetWei,
      leftMs: 5000,
    });
  });

  it('requests only the missing part', () => {
    expect(transferOf(job, pending('0.3'), deadline - 1)).toMatchObject({ state: 'due', dueWei: parseHype('0.2') });
  });

  it('does not request a seen, unconfirmed amount again', () => {
    const seen = (received: string, waiting: string) => ({
      ...pending(received),
      waitingWei: parseHype(waiting).toString(),
    });
    expect(transferOf(job, seen('0.3', '0.1'), deadline - 1)).toMatchObject({ dueWei: parseHype('0.1') });
    expect(transferOf(job, seen('0', '0.5'), deadline - 1)).toEqual({ state: 'waiting', budgetWei });
    expect(transferOf(job, seen('0', '0.7'), deadline - 1)).toEqual({ state: 'waiting', budgetWei });
  });

  it('requests nothing after deadline or end', () => {
    expect(transferOf(job, pending('0.3'), deadline)).toEqual({ state: 'over', budgetWei });
    expect(transferOf(job, { ...pending('0'), status: 'cancelled' }, deadline - 1)).toEqual({
      state: 'over',
      budgetWei,
    });
  });

  it.each(['active', 'of_a_newer_version'])('neither requests nor forbids payment while %s', (status) => {
    const unknown = { ...pending('0'), status: status as 'active' };
    expect(transferOf(job, unknown, deadline - 1)).toEqual({ state: 'waiting', budgetWei });
  });

  it('is done when the payment was received', () => {
    expect(transferOf(job, activeJob(), deadline + 1)).toEqual({ state: 'received', budgetWei });
  });
});
