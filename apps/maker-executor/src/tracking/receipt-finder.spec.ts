import type { ReceiptAnswer } from '@maker/chain';
import type { TransactionRecord } from '@maker/execution-records';
import type { Hash, TransactionReceipt } from 'viem';
import { describe, expect, it } from 'vitest';
import { headAt, inclusionOf, transactionOf } from '../session/session.fixture.ts';
import { ReceiptFinder } from './receipt-finder.ts';

const TOKEN = '0x00000000000000000000000000000000000000aa';
const HASH: Hash = '0x1';
const ORDER = transactionOf('order', { attempts: [{ ...transactionOf('order').attempts[0], valueWei: 10n }] as never });
const FILLED = { transaction: ORDER, inclusion: inclusionOf() };
const REVERTED = { transaction: ORDER, inclusion: inclusionOf({ succeeded: false, movedWei: 0n }) };

const receipt = (more: Partial<TransactionReceipt> = {}) =>
  ({
    transactionHash: HASH,
    status: 'success',
    gasUsed: 3n,
    effectiveGasPrice: 1n,
    blockNumber: 99n,
    blockHash: '0x99',
    logs: [],
    ...more,
  }) as unknown as TransactionReceipt;

const success = receipt();
const reverted = receipt({ status: 'reverted' });
const moreGas = receipt({ gasUsed: 4n });

/** Returns a finder. @param shown answers of hosts @param newestHas hash of the newest block at the transaction's height */
function finderOf(shown: readonly ReceiptAnswer[], { trustsSingle = false, newestHas = '0x99' as Hash } = {}) {
  const asked: boolean[] = [];
  const receipts = {
    inBlock: async (_hash: Hash, _block: object, isFresh = false) => {
      asked.push(isFresh);
      return shown;
    },
    byHash: async () => shown,
  };
  const block = { ...headAt(99), transactionHashes: new Set([HASH]) };
  const feed = { after: () => [block], hashAt: () => newestHas };
  const chain = { blockTime: async () => 0 };
  return { finder: new ReceiptFinder(chain, feed as never, receipts as never, { trustsSingle }), asked };
}

const settledOf = ({ finder }: ReturnType<typeof finderOf>, final: typeof FILLED) => finder.settled([final], TOKEN);
const STANDS = { standing: [ORDER.id], lost: [] };
const LOST = { standing: [], lost: [ORDER.id] };
const UNKNOWN = { standing: [], lost: [] };

describe('a transaction in a block (docs/adr/0116)', () => {
  it.each([
    ['stands when two hosts show it', FILLED, [success, success], STANDS],
    ['stands when the only host that answers shows a success', FILLED, [success], STANDS],
    ['stands as reverted when two hosts show that', REVERTED, [reverted, reverted], STANDS],
    ['is unknown when only one host shows it', FILLED, [success, undefined], UNKNOWN],
    ['is unknown when hosts show another cost', FILLED, [success, moreGas], UNKNOWN],
    ['is not reverted by one host', REVERTED, [reverted, success], UNKNOWN],
    ['is not reverted by the only host that answers', REVERTED, [reverted], UNKNOWN],
    ['is lost when two hosts show none', FILLED, [undefined, undefined], LOST],
    ['is lost when two hosts show another end', REVERTED, [success, success], LOST],
    ['stands when two of three show it', FILLED, [undefined, success, success], STANDS],
    ['is unknown when no host answers', FILLED, [], UNKNOWN],
  ] as const)('%s', async (_, final, shown, settled) => {
    expect(await settledOf(finderOf(shown), final)).toEqual(settled);
  });

  it('follows the only trusted host', async () => {
    expect(await settledOf(finderOf([reverted], { trustsSingle: true }), REVERTED)).toEqual(STANDS);
    expect(await settledOf(finderOf([undefined], { trustsSingle: true }), FILLED)).toEqual(LOST);
  });

  it('is read again when its block may be gone', async () => {
    const gone = finderOf([success, success], { newestHas: '0x98' });
    await settledOf(gone, FILLED);
    expect(gone.asked).toEqual([true]);
    const there = finderOf([success, success]);
    await settledOf(there, FILLED);
    expect(there.asked).toEqual([false]);
  });

  it('is unconfirmed until hosts agree', async () => {
    const search = { head: headAt(100), tokenAddress: TOKEN, sentAtBlock: (_: TransactionRecord) => null } as const;
    const find = (shown: readonly ReceiptAnswer[]) => finderOf(shown).finder.find([ORDER], search);
    expect(await find([success, success])).toMatchObject([{ inclusion: { succeeded: true } }]);
    expect((await find([success, success]))[0]).not.toHaveProperty('isUnconfirmed');
    expect(await find([undefined, success])).toMatchObject([{ isUnconfirmed: true }]);
    expect(await find([reverted])).toMatchObject([{ isUnconfirmed: true, inclusion: { succeeded: false } }]);
    expect(await find([undefined, undefined])).toEqual([]);
  });
});
