import type { Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import type { TransactionFact } from '../chain/chain-facts.ts';
import { buyCall } from '../honest-receipt.fixture.ts';
import { facts, found, hashOf, onChain, orderOf, ordersWith, rulesWith, statement } from './each-problem.fixture.ts';
import { gasPrice, pauses, schedule } from './schedule-rules.ts';

// Each case has one fault and calls the rule directly, because an earlier rule would report it first.

describe('the schedule', () => {
  it('has orders in sequence', () => {
    const sentence = ['Order 2 has a lower nonce or block than the order before it.'];
    expect(found(schedule, ordersWith(2, { nonce: 0 }))).toEqual(sentence);
    expect(found(schedule, ordersWith(2, { blockNumber: 0 }))).toEqual(sentence);
    expect(found(schedule, ordersWith(1, { blockNumber: 0, nonce: 0 }))).toEqual([]);
    const { blockNumber, nonce } = orderOf(1);
    expect(found(schedule, ordersWith(2, { blockNumber, nonce }))).toEqual([]);
  });

  it('ends with trading and an order’s validity', () => {
    const last = orderOf(8);
    const endsAt = (ms: number) =>
      found(schedule, rulesWith({ tradingEndsAt: new Date(Date.parse(last.minedAt) - 120_000 + ms).toISOString() }));
    expect(endsAt(0)).toEqual([]);
    expect(endsAt(-1)).toEqual([expect.stringMatching(/^Order 8 was mined at .*, but trading had to end at .*\.$/)]);
    expect(found(schedule, rulesWith({ tradingEndsAt: null }))).toEqual([]);
  });

  const early = (number: number, seconds: number, change: Partial<TransactionFact> = {}) => {
    const fact = facts.transactions.get(orderOf(number).transactionHash);
    const minedAt = new Date(Date.parse(orderOf(number).minedAt) - seconds * 1000).toISOString();
    const deadline = BigInt((fact?.blockSeconds ?? 0) - 2 + 120 - seconds);
    const input = buyCall({ minimum: BigInt(orderOf(number).minimumTokens), deadline });
    return found(
      schedule,
      ordersWith(number, { minedAt }),
      onChain(orderOf(number).transactionHash, { input, ...change }),
    );
  };

  it('accepts a slot of earliness', () => {
    // A slot is 462 s, and rounding adds two seconds.
    expect(early(2, 464)).toEqual([]);
    expect(early(2, 465)).toEqual([expect.stringContaining('which is 465 s ahead of the schedule')]);
    expect(found(schedule, rulesWith({ slotMs: 462_000 }))).toEqual([]);
  });

  it('accepts mining until validity ends', () => {
    const late = (seconds: number) => {
      const minedAt = new Date(Date.parse(orderOf(2).minedAt) - seconds * 1000).toISOString();
      return found(schedule, ordersWith(2, { minedAt }));
    };
    expect(late(2)).toEqual([]);
    expect(late(700)).toEqual([expect.stringContaining('which is 700 s ahead of the schedule')]);
  });

  it('gives unfilled slots to a replacement order', () => {
    // The third order reverted, the fifth was given up.
    expect(early(4, 926)).toEqual([]);
    expect(early(4, 462 + 583)).toEqual([expect.stringContaining('583 s ahead')]);
    expect(found(schedule, ordersWith(3, { minedAt: orderOf(1).minedAt }))).toEqual([]);
  });

  it('counts as many slots as an order stands for', () => {
    const merged = ordersWith(1, { tradeWei: `${4n * BigInt(orderOf(1).tradeWei)}` });
    expect(found(schedule, merged)[0]).toMatch(/^Order 2 was mined at .*, which is 1386 s ahead of the schedule\.$/);
  });
});

describe('gas', () => {
  it('costs no order more than guardrail and cap', () => {
    const at = (hash: Hex, gwei: bigint) => found(gasPrice, {}, onChain(hash, { gasPriceWei: gwei * 10n ** 8n }));
    expect(at(orderOf(1).transactionHash, 100n)).toEqual([]);
    expect(at(orderOf(1).transactionHash, 151n)).toEqual(['Order 1 paid 15.1 gwei for gas; the rules allow 10 gwei.']);
    expect(at(orderOf(3).transactionHash, 101n)).toHaveLength(1);
    expect(at(orderOf(5).transactionHash, 200n)).toEqual([]);
    expect(at(orderOf(5).transactionHash, 201n)).toHaveLength(1);
    expect(at(hashOf('return'), 200n)).toEqual([]);
    expect(at(hashOf('return'), 201n)).toEqual([expect.stringContaining('paid 20.1 gwei for gas')]);
  });
});

describe('pauses', () => {
  const pause = (from: string, to: string | null) => ({ pauses: [{ reason: 'operator' as const, from, to }] });

  it('match their recorded times', () => {
    expect(found(pauses, pause('2027-01-16T09:00:00.000Z', '2027-01-16T08:59:59.999Z'))).toEqual([
      "The pause 'operator' of 2027-01-16T09:00:00.000Z ends before it begins.",
    ]);
    expect(found(pauses, pause('2027-01-16T09:00:00.000Z', '2027-01-16T09:00:00.000Z'))).toEqual([]);
    expect(found(pauses, pause('2027-01-16T09:00:00.000Z', null))).toEqual([
      "The pause 'operator' of 2027-01-16T09:00:00.000Z has no end, but the job has ended.",
    ]);
    expect(found(pauses, { ...pause('2027-01-16T09:00:00.000Z', null), state: 'interim' })).toEqual([]);
    expect(statement(pauses)).toBeUndefined();
  });

  it('hold no order but earlier ones', () => {
    const minedAt = Date.parse(orderOf(2).minedAt);
    const at = (ms: number) => new Date(minedAt + ms).toISOString();
    const sentence = `Order 2 was mined in the pause 'operator' that began at`;
    // The order was decided two seconds before its block; clocks differ by at most a minute.
    expect(found(pauses, pause(at(-62_000), at(60_001)))).toEqual([]);
    expect(found(pauses, pause(at(-62_001), at(60_000)))).toEqual([]);
    expect(found(pauses, pause(at(-62_001), at(60_001)))).toEqual([`${sentence} ${at(-62_001)}.`]);
    const stillOn = found(pauses, { ...pause(at(-62_001), null), state: 'interim' });
    expect(stillOn).toEqual([`${sentence} ${at(-62_001)}.`]);
    // The order was sent one order life earlier.
    const deadline = BigInt(minedAt / 1000);
    const input = buyCall({ minimum: BigInt(orderOf(2).minimumTokens), deadline });
    const sentBefore = onChain(orderOf(2).transactionHash, { input });
    expect(found(pauses, pause(at(-180_000), at(60_001)), sentBefore)).toEqual([]);
    expect(found(pauses, pause(at(-180_001), at(60_001)), sentBefore)).toEqual([`${sentence} ${at(-180_001)}.`]);
    const reverted = Date.parse(orderOf(3).minedAt);
    const alone = pause(new Date(reverted - 180_001).toISOString(), new Date(reverted + 60_001).toISOString());
    expect(found(pauses, alone)).toEqual([]);
  });
});
