import type { Address, Hash } from 'viem';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Hosts } from './agreement/hosts.ts';
import { DepositProofs, type ReportedTransfer } from './deposit-proofs.ts';
import type { BlockHead } from './head-feed/head-feed.ts';
import type { TransferProofs } from './scanner/transfer-proofs.ts';

const WALLET: Address = `0x${'aa'.repeat(20)}`;
const HASH: Hash = `0x${'01'.repeat(32)}`;
const NOW_MS = 1_700_000_000_000;
const MINUTE_MS = 60_000;
const BLOCK_AT_MS = NOW_MS - 5 * MINUTE_MS;

const claim: ReportedTransfer = {
  depositId: `${WALLET}:${HASH}`,
  wallet: WALLET,
  from: `0x${'bb'.repeat(20)}`,
  transactionHash: HASH,
  amountWei: 5n,
  blockNumber: 7,
  blockAtMs: NOW_MS - 1000,
  deadlineMs: NOW_MS + 10 * MINUTE_MS,
};

let located: Awaited<ReturnType<TransferProofs['proveInBlock']>>;
let blocksRead: number;
let hostsAgree: boolean;

beforeEach(() => {
  located = { verdict: 'proven', blockNumber: 8 };
  blocksRead = 0;
  hostsAgree = true;
});

function proofs(head: Partial<BlockHead> | undefined = { number: 9, timestampMs: NOW_MS }): DepositProofs {
  const hosts = {
    question: () => ({
      async all() {
        blocksRead += 1;
        const seconds = BigInt(BLOCK_AT_MS / 1000);
        return [seconds, hostsAgree ? seconds : seconds + 1n];
      },
    }),
  } as unknown as Hosts;
  const transfers = { proveInBlock: async () => located } as unknown as TransferProofs;
  return new DepositProofs(hosts, transfers, { head: head as BlockHead, chainNowMs: NOW_MS });
}

describe('a reported transfer (docs/adr/0118)', () => {
  it('has the proven block, and a near time as reported', async () => {
    expect(await proofs().transfer(claim)).toEqual({ verdict: 'proven', block: { number: 8, atMs: claim.blockAtMs } });
    expect(blocksRead).toBe(0);
  });

  it.each([
    ['far behind', { blockAtMs: NOW_MS - 2 * MINUTE_MS }],
    ['far ahead', { blockAtMs: NOW_MS + 2 * MINUTE_MS }],
    ['reported after the deadline', { blockAtMs: NOW_MS + 1, deadlineMs: NOW_MS }],
    ['reported in time, received late', { deadlineMs: NOW_MS - 500 }],
  ])('has its block’s own time when it is %s', async (_, change) => {
    const { block } = await proofs().transfer({ ...claim, ...change });
    expect(block).toEqual({ number: 8, atMs: BLOCK_AT_MS });
  });

  it('waits while hosts disagree about the time', async () => {
    hostsAgree = false;
    expect(await proofs().transfer({ ...claim, blockAtMs: 0 })).toEqual({ verdict: 'waiting' });
  });

  it('is refuted under another deposit id', async () => {
    expect(await proofs().transfer({ ...claim, depositId: `${claim.depositId}:again` })).toEqual({
      verdict: 'refuted',
    });
  });

  it.each(['refuted', 'unprovable', 'waiting'] as const)('is %s as its sender is', async (verdict) => {
    located = { verdict };
    expect(await proofs().transfer(claim)).toEqual({ verdict });
  });
});

it('knows no balance before the first block', async () => {
  const asked = { wallet: WALLET, leastWei: 5n, sinceBlock: 0 };
  const early = new DepositProofs({} as Hosts, {} as TransferProofs, { head: undefined, chainNowMs: NOW_MS });
  expect(await early.balances([asked])).toEqual({ areShown: [null], chainTimeMs: NOW_MS });
});
