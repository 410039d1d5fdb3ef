import type { ScannedBlock } from '@maker/chain';
import { expect, it } from 'vitest';
import { blockOf, PAYER, TRANSACTION, transferOf, WALLET, watchOf } from '../deposit/deposit.fixture.ts';
import type { Watch } from '../watch/watch.ts';
import { addressesIn, recordBlock } from './record-block.ts';

function scanned(changes: Partial<ScannedBlock>): ScannedBlock {
  return { kind: 'block', block: blockOf(10), transfers: [], mentions: [], senders: [], headNumber: 10, ...changes };
}

const watching = (watch: Watch) => new Map([[watch.address, watch]]);
const mention = { address: WALLET, transactionHash: TRANSACTION };

it('credits a transfer by address and hash', () => {
  const { deposits } = recordBlock(scanned({ transfers: [transferOf()] }), watching(watchOf()));
  expect(deposits).toEqual([
    {
      depositId: `${WALLET}:${TRANSACTION}`,
      address: WALLET,
      jobId: watchOf().jobId,
      kind: 'transfer',
      amountWei: 5n,
      from: PAYER,
      transactionHash: TRANSACTION,
      blockNumber: 10,
      blockHash: blockOf(10).hash,
      blockAtMs: blockOf(10).timestampMs,
      occurrence: 1,
      seenAtBlock: 10,
    },
  ]);
});

it('takes two transfers in one block as two deposits', () => {
  const second = transferOf({ transactionHash: `0x${'22'.repeat(32)}` });
  const { deposits } = recordBlock(scanned({ transfers: [transferOf(), second] }), watching(watchOf()));
  expect(new Set(deposits.map(({ depositId }) => depositId)).size).toBe(2);
});

it('keeps mentions of wallets that do not spend', () => {
  expect(recordBlock(scanned({ mentions: [mention] }), watching(watchOf())).mentions).toEqual([
    { address: WALLET, transactionHash: TRANSACTION, blockNumber: 10, blockAtMs: blockOf(10).timestampMs },
  ]);
  const spending = watchOf({ spendingSinceBlock: 9 });
  expect(recordBlock(scanned({ mentions: [mention] }), watching(spending)).mentions).toEqual([]);
  const spends = scanned({ mentions: [mention], senders: [WALLET] });
  expect(recordBlock(spends, watching(watchOf())).mentions).toEqual([]);
});

it('marks the first spending block only', () => {
  expect(recordBlock(scanned({ senders: [WALLET] }), watching(watchOf())).spending).toEqual([WALLET]);
  expect(recordBlock(scanned({ senders: [WALLET] }), watching(watchOf({ spendingSinceBlock: 9 }))).spending).toEqual(
    [],
  );
});

it('still credits transfers to a wallet that spends', () => {
  const { deposits } = recordBlock(
    scanned({ transfers: [transferOf()] }),
    watching(watchOf({ spendingSinceBlock: 9 })),
  );
  expect(deposits).toHaveLength(1);
});

it('skips addresses after their watch', () => {
  const block = scanned({ transfers: [transferOf()], mentions: [mention] });
  expect(recordBlock(block, new Map())).toMatchObject({ deposits: [], mentions: [] });
});

it('lists each address of a block once', () => {
  expect(addressesIn(scanned({ transfers: [transferOf()], mentions: [mention], senders: [PAYER] }))).toEqual([
    WALLET,
    PAYER,
  ]);
});

it('records a HyperCore credit without a sender', () => {
  const { deposits } = recordBlock(scanned({ transfers: [transferOf({ from: null })] }), watching(watchOf()));
  expect(deposits).toMatchObject([{ depositId: `${WALLET}:${TRANSACTION}`, kind: 'system' }]);
  expect(deposits[0]).not.toHaveProperty('from');
});

it('judges each wallet independently', () => {
  const block = scanned({ mentions: [mention], senders: [PAYER] });
  const record = recordBlock(block, watching(watchOf()));
  expect(record.mentions).toHaveLength(1);
  expect(record.spending).toEqual([PAYER]);
});
