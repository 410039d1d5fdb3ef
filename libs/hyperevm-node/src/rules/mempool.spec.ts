import { describe, expect, it } from 'vitest';
import { LIFETIME_SECONDS, Mempool, type SenderAccount } from './mempool.ts';
import type { SignedTransaction } from './transaction.ts';

const ACCOUNT: SenderAccount = { nonce: 5, balanceWei: 10n ** 18n };

function transfer(nonce: number, changes: Partial<SignedTransaction> = {}): SignedTransaction {
  return {
    hash: `0x${nonce}${changes.maxFeePerGasWei ?? ''}`,
    raw: '0x',
    sender: '0xaa',
    to: '0xbb',
    nonce,
    gas: 21_000n,
    valueWei: 1n,
    maxFeePerGasWei: 100n,
    maxTipWei: 10n,
    ...changes,
  };
}

function poolWith(...nonces: number[]): Mempool {
  const pool = new Mempool();
  for (const nonce of nonces) pool.add(transfer(nonce), ACCOUNT, { seconds: 0, kind: 'small' });
  return pool;
}

function add(pool: Mempool, transaction: SignedTransaction, account = ACCOUNT): void {
  pool.add(transaction, account, { seconds: 0, kind: 'small' });
}

const noncesInRow = (pool: Mempool, next: number) => pool.inRow('0xaa', next, 'small').map(({ nonce }) => nonce);

describe('the mempool', () => {
  it('accepts the next 8 nonces only', () => {
    const pool = poolWith(5, 12);
    expect(() => add(pool, transfer(13))).toThrow('nonce too high');
    expect(() => add(pool, transfer(4))).toThrow('nonce too low: next nonce 5, tx nonce 4');
  });

  it('holds transactions after a nonce gap', () => {
    const pool = poolWith(5, 7);
    expect(noncesInRow(pool, 5)).toEqual([5]);
    add(pool, transfer(6));
    expect(noncesInRow(pool, 5)).toEqual([5, 6, 7]);
  });

  it('forgets a transaction after a day', () => {
    const pool = poolWith(5);
    pool.prune(LIFETIME_SECONDS);
    expect(pool.all()).toHaveLength(1);
    pool.prune(LIFETIME_SECONDS + 1);
    expect(pool.all()).toHaveLength(0);
  });

  it('rejects a transaction that is already known', () => {
    expect(() => add(poolWith(5), transfer(5))).toThrow('already known');
  });

  it('replaces at ten percent higher fees', () => {
    const pool = poolWith(5);
    const dearer = { maxFeePerGasWei: 110n, maxTipWei: 11n };
    expect(() => add(pool, transfer(5, { ...dearer, maxTipWei: 10n }))).toThrow('replacement transaction underpriced');
    expect(() => add(pool, transfer(5, { ...dearer, maxFeePerGasWei: 109n }))).toThrow('underpriced');
    add(pool, transfer(5, dearer));
    expect(pool.all().map(({ maxFeePerGasWei }) => maxFeePerGasWei)).toEqual([110n]);
  });

  it('rejects a transaction that the sender cannot pay', () => {
    expect(() => add(new Mempool(), transfer(5), { nonce: 5, balanceWei: 2_100_000n })).toThrow('insufficient funds');
    add(new Mempool(), transfer(5), { nonce: 5, balanceWei: 2_100_001n });
  });

  it('separates transactions for small and big blocks', () => {
    const pool = poolWith(5);
    pool.add(transfer(6), ACCOUNT, { seconds: 0, kind: 'big' });
    expect(noncesInRow(pool, 5)).toEqual([5]);
    expect(pool.inRow('0xaa', 5, 'big')).toEqual([]);
    expect(pool.inRow('0xaa', 6, 'big')).toHaveLength(1);
  });

  it('forgets mined nonces', () => {
    const pool = poolWith(5, 6, 7);
    pool.settle('0xaa', 7);
    expect(pool.all().map(({ nonce }) => nonce)).toEqual([7]);
  });
});
