import { JOB_STATUSES, parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import type { Deposit } from '../deposit/deposit.ts';
import { DEADLINE_MS, depositFixture, paidJobFixture } from '../job/job.fixture.ts';
import type { Job } from '../job/job.ts';
import { startablePayment } from './startable-payment.ts';

const MINIMUM = parseHype('0.25');
const BOB = `0x${'b'.repeat(40)}`;
const now = DEADLINE_MS;

const part = (hype: string, differences: Partial<Deposit> = {}) =>
  depositFixture({ amountWei: parseHype(hype), ...differences });
const contractPart = (hype: string) => part(hype, { kind: 'internal' });

const startable = (deposits: readonly Deposit[], differences: Partial<Job> = {}, nowMs = now) =>
  startablePayment({ ...paidJobFixture(...deposits), ...differences }, deposits, MINIMUM, nowMs);

describe('a payment that may start its job early (docs/adr/0148)', () => {
  it('is at least 99 % of the minimum', () => {
    expect(startable([part('0.41')])).toMatchObject({ payer: part('0.41').from, amountWei: parseHype('0.41') });
    expect(startable([part('0.2475')])).toMatchObject({ amountWei: parseHype('0.2475') });
    expect(startable([part('0.247499')])).toBe('below_minimum');
    expect(startable([])).toBe('nothing_arrived');
  });

  it('is that of the payer, without a stranger’s part', () => {
    const [own, other] = [part('0.3'), part('0.1', { from: BOB })];
    expect(startable([own, other])).toMatchObject({ amountWei: parseHype('0.3'), depositIds: [own.depositId] });
  });

  it('needs a named address if its payer is unknown', () => {
    const named = { returnAddress: BOB, requestedReturnAddress: BOB };
    for (const deposits of [[contractPart('0.3')], [part('0.2'), part('0.2', { from: BOB })]]) {
      expect(startable(deposits)).toBe('unknown_payer');
      expect(startable(deposits, named)).toMatchObject({ payer: null });
    }
  });

  it('excludes late parts and those that left the chain', () => {
    const [late, dropped] = [part('0.3', { blockTimestampMs: DEADLINE_MS + 1 }), part('0.3', { dropped: true })];
    expect(startable([late, part('0.2')])).toBe('below_minimum');
    expect(startable([dropped, part('0.2')])).toBe('below_minimum');
  });

  it('is refused after the deadline', () => {
    expect(startable([part('0.41')], {}, DEADLINE_MS + 1)).toBe('deadline_passed');
    expect(startable([part('0.41')], { deadlinePassed: { receivedWei: parseHype('0.5') } })).toBe('deadline_passed');
  });

  it.each(JOB_STATUSES.filter((status) => status !== 'pending_payment'))('is refused while the job is %s', (status) => {
    expect(startable([part('0.41')], { status })).toBe('ended');
  });
});
