import {
  expectedBalance,
  type FinalTransaction,
  type Inclusion,
  type TransactionPurpose,
  type TransactionRecord,
} from '@maker/execution-records';
import { startedExecution, WALLET } from '@maker/execution-records/testing';
import { NO_PURCHASES, PRICE_SCALE } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { bookTransactions, reverseBooking } from './book-transactions.ts';
import { isFilledOrder } from './purchases.ts';

const NOW = new Date(0);
const execution = startedExecution();

let nonce = 0;
function final(purpose: TransactionPurpose, inclusion: Partial<Inclusion>): FinalTransaction {
  nonce += 1;
  const transaction: TransactionRecord = {
    id: `${execution.id}/${purpose}/${nonce}`,
    jobId: execution.id,
    purpose,
    state: 'mined',
    chainId: 31337,
    sender: WALLET,
    nonce,
    to: WALLET,
    data: '0x',
    gasLimit: 21_000,
    attempts: [],
    inclusion: null,
    reversals: 0,
    createdAt: NOW,
  };
  return {
    transaction,
    inclusion: {
      hash: '0x1',
      blockNumber: 5,
      blockHash: '0x2',
      blockAt: NOW,
      succeeded: true,
      gasUsed: 3,
      gasWei: 3n,
      movedWei: 100n,
      receivedTokens: 0n,
      sentTokens: 0n,
      ...inclusion,
    },
  };
}

describe('bookTransactions', () => {
  it('books movements and gas to the wei', () => {
    const { entries, change } = bookTransactions(
      execution,
      [final('fee', { movedWei: 300n }), final('order', { receivedTokens: 7n })],
      NOW,
    );
    expect(entries.map(({ kind, amountWei }) => [kind, amountWei])).toEqual([
      ['fee', 300n],
      ['gas', 3n],
      ['order', 100n],
      ['bought', 7n],
      ['order_gas', 3n],
    ]);
    expect(expectedBalance(change.totals)).toBe(1000n - 300n - 3n - 100n - 3n);
  });

  it('books only the gas of a reverted order', () => {
    const reverted = final('order', { succeeded: false, movedWei: 0n });
    const { entries, change } = bookTransactions(execution, [reverted], NOW);
    expect(entries.map(({ kind }) => kind)).toEqual(['order_gas']);
    expect(change).toMatchObject({ ordersPlaced: 0, ordersFailed: 1, consecutiveFailures: 1 });
  });

  it('books delivery and return as leaving for the payer', () => {
    const finals = [final('delivery', { movedWei: 0n, sentTokens: 7n }), final('return', { movedWei: 40n })];
    const { entries } = bookTransactions(execution, finals, NOW);
    expect(entries.map(({ kind, amountWei }) => [kind, amountWei])).toEqual([
      ['delivered', 7n],
      ['gas', 3n],
      ['returned', 40n],
      ['gas', 3n],
    ]);
  });

  it('books a refund as returned to its sender', () => {
    const { entries } = bookTransactions(execution, [final('refund', { movedWei: 40n })], NOW);
    expect(entries.map(({ kind, amountWei }) => [kind, amountWei])).toEqual([
      ['returned', 40n],
      ['gas', 3n],
    ]);
  });

  it('ignores events outside a transaction’s purpose', () => {
    const finals = [final('order', { sentTokens: 5n }), final('fee', { receivedTokens: 5n })];
    const { entries } = bookTransactions(execution, finals, NOW);
    expect(entries.map(({ kind }) => kind)).toEqual(['order', 'order_gas', 'fee', 'gas']);
  });

  it('names an entry by transaction, kind and occurrence', () => {
    const fee = final('fee', { gasWei: 0n });
    const idsOf = (reversals: number) =>
      bookTransactions(execution, [{ ...fee, transaction: { ...fee.transaction, reversals } }], NOW).entries.map(
        ({ id }) => id,
      );
    const { id } = fee.transaction;
    expect([0, 1, 2].map(idsOf)).toEqual([[`${id}/fee`], [`${id}/again-1/fee`], [`${id}/again-2/fee`]]);
  });

  it('counts failures in a row, which a success ends', () => {
    const failed = () => final('order', { succeeded: false, movedWei: 0n });
    const before = { ...execution, consecutiveFailures: 4 };
    expect(bookTransactions(before, [failed(), failed()], NOW).change.consecutiveFailures).toBe(6);
    expect(bookTransactions(before, [failed(), final('order', {}), failed()], NOW).change.consecutiveFailures).toBe(1);
  });

  it('retries an unfilled order once, not its retry', () => {
    const terms = { minimumTokens: 5n, quotedTokens: 6n, expiresAt: NOW };
    const reverted = (more: object) => {
      const failed = final('order', { succeeded: false, movedWei: 0n });
      return { ...failed, transaction: { ...failed.transaction, terms: { ...terms, ...more } } };
    };
    const first = reverted({});
    const { retries } = bookTransactions(execution, [first, reverted({ isRetry: true })], NOW).change;
    expect(retries).toEqual([first.transaction.nonce]);
  });

  it('counts orders that brought less than their minimum', () => {
    const brought = (receivedTokens: bigint) => {
      const order = final('order', { receivedTokens });
      return {
        ...order,
        transaction: { ...order.transaction, terms: { minimumTokens: 5n, quotedTokens: 6n, expiresAt: NOW } },
      };
    };
    expect(bookTransactions(execution, [brought(5n)], NOW).change.shortDeliveries).toBe(0);
    expect(bookTransactions(execution, [brought(4n), brought(6n)], NOW).change.shortDeliveries).toBe(1);
  });

  it('records each block with orders once', () => {
    const { orderBlocks } = bookTransactions(
      execution,
      [final('order', {}), final('order', { succeeded: false }), final('order', { blockNumber: 6 }), final('fee', {})],
      NOW,
    );
    expect(orderBlocks).toEqual([
      { blockNumber: 5, succeeded: 1 },
      { blockNumber: 6, succeeded: 1 },
    ]);
  });
});

describe('reverseBooking (design § 5: append-only, double-entry)', () => {
  it('reverses exactly the bookings and books again', () => {
    const finals = [
      final('fee', { movedWei: 300n }),
      final('order', { movedWei: 40n, receivedTokens: 9n }),
      final('order', { succeeded: false, movedWei: 0n }),
    ];
    const booked = bookTransactions(execution, finals, NOW);
    const after = { ...execution, ...booked.change };
    const { entries, change } = reverseBooking(after, { lost: finals, standing: undefined }, NOW);
    expect(change).toEqual({ totals: execution.totals, ordersPlaced: 0, ordersFailed: 0, purchases: NO_PURCHASES });
    expect(entries.map(({ from, to }) => `${from} → ${to}`)).toContain('treasury → wallet');
    const again = finals.map(({ transaction, inclusion }) => ({
      transaction: { ...transaction, reversals: 1 },
      inclusion,
    }));
    const bookedAgain = bookTransactions({ ...after, ...change }, again, NOW);
    expect(bookedAgain.change.totals).toEqual(booked.change.totals);
    const ids = [...booked.entries, ...entries, ...bookedAgain.entries].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

it('reverseBooking separates filled from failed orders', () => {
  const failed = () => final('order', { succeeded: false, movedWei: 0n });
  const lost = [final('order', {}), failed(), failed(), final('order', {}), final('order', {})];
  const before = { ...execution, ordersPlaced: 10, ordersFailed: 10 };
  const { change } = reverseBooking(before, { lost, standing: undefined }, NOW);
  expect(change).toMatchObject({ ordersPlaced: 7, ordersFailed: 8 });
});

describe('the figures of docs/quality.md', () => {
  const seen = { ...execution, plan: { ...execution.plan, seenPriceX96: 2000n * PRICE_SCALE } };
  const bought = (second: number, before: bigint) =>
    final('order', {
      movedWei: 10_000n,
      receivedTokens: 5n,
      blockAt: new Date(second * 1000),
      trade: { priceBeforeX96: before * PRICE_SCALE, priceAfterX96: (before + 10n) * PRICE_SCALE, poolFeeWei: 30n },
    });

  it('grow with filled orders, not reverted ones', () => {
    const reverted = final('order', { succeeded: false, movedWei: 0n });
    const { change } = bookTransactions(seen, [bought(1, 1990n), reverted, bought(3, 1995n)], NOW);
    expect(change.purchases).toMatchObject({ tradedWei: 20_000n, poolFeeWei: 60n, boughtTokens: 10n, lastAtMs: 3000 });
    expect(change.purchases.heldMsX96).toBe(((2000n + 1995n) * PRICE_SCALE * 2000n) / 2n);
    // The pool's fee was 0.3 % of the trade, and so also of the price that the visitor saw.
    expect(change.arrivalPriceX96).toBe(1994n * PRICE_SCALE);
  });

  it('are restored when blocks leave the chain', () => {
    const one = [bought(1, 1990n)];
    const two = [bought(3, 1995n), final('order', { movedWei: 70n, receivedTokens: 7n, blockAt: new Date(5000) })];
    const before = bookTransactions(seen, one, NOW).change;
    const after = bookTransactions({ ...seen, ...before }, two, NOW).change;
    expect(after.purchases).toMatchObject({ tradedWei: 20_070n, impactWei: expect.any(BigInt) });
    const back = reverseBooking({ ...seen, ...after }, { lost: two, standing: one[0] }, NOW).change;
    expect(back.purchases).toEqual(before.purchases);
  });

  it('keep the price before the first order', () => {
    const before = bookTransactions(seen, [bought(1, 1990n)], NOW).change;
    const expensive = final('order', {
      movedWei: 10_000n,
      receivedTokens: 5n,
      trade: { priceBeforeX96: PRICE_SCALE, priceAfterX96: PRICE_SCALE, poolFeeWei: 100n },
    });
    expect(bookTransactions({ ...seen, ...before }, [expensive], NOW).change.arrivalPriceX96).toBe(1994n * PRICE_SCALE);
  });

  it('have no price before a fill or a seen price', () => {
    const unseen = { ...seen, plan: { ...seen.plan, seenPriceX96: null } };
    expect(bookTransactions(seen, [final('fee', {})], NOW).change.arrivalPriceX96).toBeNull();
    expect(bookTransactions(unseen, [bought(1, 1990n)], NOW).change.arrivalPriceX96).toBeNull();
  });

  it('take the seen price for an order without fee', () => {
    const gift = final('order', { movedWei: 0n, receivedTokens: 5n });
    expect(bookTransactions(seen, [gift], NOW).change.arrivalPriceX96).toBe(2000n * PRICE_SCALE);
  });

  it('are undone per order in any position', () => {
    const two = [bought(1, 1990n), bought(3, 1995n)];
    const after = bookTransactions(seen, two, NOW).change;
    const back = reverseBooking({ ...seen, ...after }, { lost: two, standing: undefined }, NOW).change;
    expect(back.purchases).toEqual(NO_PURCHASES);
  });

  it('cover filled purchases only', () => {
    const filled = { succeeded: true, receivedTokens: 5n };
    expect(isFilledOrder(final('order', filled))).toBe(true);
    expect(isFilledOrder(final('delivery', filled))).toBe(false);
    expect(isFilledOrder(final('order', { ...filled, succeeded: false }))).toBe(false);
    expect(isFilledOrder(final('order', { ...filled, receivedTokens: 0n }))).toBe(false);
  });
});
