import type { Address, Hash } from 'viem';
import { keccak256, parseTransaction } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ChainClient } from '../client.ts';
import type { Network } from '../networks.ts';
import { type SenderClaim, TransferProofs } from './transfer-proofs.ts';

const CHAIN_ID = 999;
const SENDER = privateKeyToAccount(`0x${'17'.repeat(32)}`);
const WALLET: Address = `0x${'aa'.repeat(20)}`;
const OTHER: Address = `0x${'bb'.repeat(20)}`;
const BLOCK: Hash = `0x${'01'.repeat(32)}`;

let nowMs: number;
let asked: number;
let hosts: number;
let mined: Map<Hash, object>;
let minedOnlyAt: ReadonlySet<number>;
let down: ReadonlySet<number>;
let minedAt: number;
let seconds: readonly number[];

beforeEach(() => {
  nowMs = 0;
  asked = 0;
  hosts = 2;
  mined = new Map();
  minedOnlyAt = new Set([0, 1]);
  down = new Set();
  minedAt = 7;
  seconds = [9, 9];
});

async function pays(nonce: number): Promise<SenderClaim['transfers'][number]> {
  const fields = {
    type: 'legacy',
    chainId: CHAIN_ID,
    to: WALLET,
    value: 5n,
    nonce,
    gas: 21_000n,
    gasPrice: 9n,
  } as const;
  const raw = await SENDER.signTransaction(fields);
  const { r, s, v } = parseTransaction(raw);
  const hash = keccak256(raw);
  const numbers = { value: '0x5', nonce: `0x${nonce.toString(16)}`, gas: '0x5208', gasPrice: '0x9', chainId: '0x3e7' };
  const signature = { r, s, v: `0x${v?.toString(16)}` };
  const from = SENDER.address.toLowerCase();
  mined.set(hash, { hash, from, to: WALLET, input: '0x', type: '0x0', ...numbers, ...signature });
  return { transactionHash: hash, amountWei: 5n };
}

const blockOf = (number: unknown, timestamp = 0) => ({
  number,
  timestamp: `0x${timestamp.toString(16)}`,
  transactions: [],
});

function proofs(trustsSingle = false): TransferProofs {
  const hostOf = (index: number) => ({
    origin: `host-${index}`,
    async request({ method, params: [hash] }: { method: string; params: readonly Hash[] }) {
      asked += 1;
      if (down.has(index)) throw new Error('no answer');
      if (method === 'eth_getBlockByNumber') return blockOf(hash, seconds[index]);
      const transaction = minedOnlyAt.has(index) ? mined.get(hash as Hash) : undefined;
      if (method === 'eth_getTransactionByHash') return transaction ?? null;
      return transaction ? { status: '0x1', blockHash: BLOCK, blockNumber: `0x${minedAt.toString(16)}` } : null;
    },
  });
  const all = Array.from({ length: hosts }, (_, index) => hostOf(index));
  const client = { transport: { hostCount: hosts, hosts: () => all, witnesses: () => all } } as unknown as ChainClient;
  const network = { chainId: CHAIN_ID } as Network;
  return new TransferProofs({ client, network }, trustsSingle, () => nowMs, { error: () => undefined });
}

const claimOf = (...transfers: SenderClaim['transfers']): SenderClaim => ({
  sender: SENDER.address,
  wallet: WALLET,
  transfers,
});

describe('the sender of money (docs/adr/0075)', () => {
  it('is proven once and cached', async () => {
    const claim = claimOf(await pays(1), await pays(2));
    const proven = proofs();
    expect(await proven.prove(claim)).toBe('proven');
    const before = asked;
    expect(await proven.prove(claim)).toBe('proven');
    expect(asked).toBe(before);
  });

  it('is refuted for another sender and for a repeated transfer', async () => {
    const transfer = await pays(1);
    expect(await proofs().prove({ ...claimOf(transfer), sender: OTHER })).toBe('refuted');
    expect(await proofs().prove(claimOf({ ...transfer, amountWei: 6n }))).toBe('refuted');
    expect(await proofs().prove(claimOf(transfer, transfer))).toBe('refuted');
    expect(await proofs().prove(claimOf())).toBe('refuted');
  });

  it('waits while a host is down, however long', async () => {
    const claim = claimOf(await pays(1));
    down = new Set([1]);
    const waiting = proofs();
    for (; nowMs < 3_600_000; nowMs += 600_000) expect(await waiting.prove(claim)).toBe('waiting');
    down = new Set();
    expect(await waiting.prove(claim)).toBe('proven');
  });

  it('is unknown while a receipt is null', async () => {
    const claim = claimOf(await pays(1));
    minedOnlyAt = new Set();
    const late = proofs();
    expect(await late.prove(claim)).toBe('waiting');
    minedOnlyAt = new Set([0, 1]);
    nowMs += 2000;
    expect(await late.prove(claim)).toBe('proven');
  });

  it('waits while hosts disagree, however long', async () => {
    const claim = claimOf(await pays(1));
    minedOnlyAt = new Set([0]);
    const doubted = proofs();
    for (; nowMs < 300_000; nowMs += 20_000) expect(await doubted.prove(claim)).toBe('waiting');
    expect(asked).toBeLessThan(30);
    nowMs += 3_600_000;
    expect(await doubted.prove(claim)).toBe('waiting');
    minedOnlyAt = new Set([0, 1]);
    nowMs += 60_000;
    expect(await doubted.prove(claim)).toBe('proven');
  });

  it('is refuted when all hosts deny it for five minutes', async () => {
    const claim = claimOf(await pays(1));
    minedOnlyAt = new Set();
    const denied = proofs();
    for (; nowMs < 300_000; nowMs += 20_000) expect(await denied.prove(claim)).toBe('waiting');
    nowMs += 60_000;
    expect(await denied.prove(claim)).toBe('refuted');
  });

  it('queries a few transfers at a time', async () => {
    const transfers = await Promise.all(Array.from({ length: 20 }, (_, nonce) => pays(nonce)));
    const some = proofs();
    expect(await some.prove(claimOf(...transfers))).toBe('waiting');
    expect(asked).toBe(8 * 3);
    await some.prove(claimOf(...transfers));
    expect(await some.prove(claimOf(...transfers))).toBe('proven');
  });

  it('is located once for its block and its sender', async () => {
    const transfer = await pays(1);
    const some = proofs();
    const locate = (atBlock: number) => some.proveInBlock(SENDER.address, WALLET, transfer, atBlock);
    const both = await Promise.all([locate(7), locate(7)]);
    expect(both).toEqual(Array(2).fill({ verdict: 'proven', blockNumber: 7 }));
    expect(await some.prove(claimOf(transfer))).toBe('proven');
    expect(asked).toBe(3);
  });

  it('is located again when reported in another block', async () => {
    const transfer = await pays(1);
    const some = proofs();
    const locate = (atBlock: number) => some.proveInBlock(SENDER.address, WALLET, transfer, atBlock);
    await locate(7);
    minedAt = 9;
    nowMs += 2000;
    expect(await locate(9)).toEqual({ verdict: 'proven', blockNumber: 9 });
    expect(asked).toBe(6);
    await locate(8);
    expect(asked).toBe(6);
  });

  it('is located as waiting while hosts disagree', async () => {
    const transfer = await pays(1);
    minedOnlyAt = new Set([0]);
    const some = proofs();
    const locate = (sender = SENDER.address) => some.proveInBlock(sender, WALLET, transfer, 7);
    for (; nowMs < 600_000; nowMs += 60_000) expect(await locate()).toEqual({ verdict: 'waiting' });
    expect(await locate(OTHER)).toEqual({ verdict: 'refuted' });
  });

  it('is unprovable by one host, unless trusted', async () => {
    hosts = 1;
    const claim = claimOf(await pays(1));
    expect(await proofs().prove(claim)).toBe('unprovable');
    expect(await proofs(true).prove(claim)).toBe('proven');
  });
});

describe('the time of proven transfers (docs/adr/0142)', () => {
  it('is late only if all hosts show it late', async () => {
    const claim = claimOf(await pays(1));
    const proven = proofs();
    expect(await proven.minedAfter(claim, 8000)).toBeUndefined();
    await proven.prove(claim);
    expect(await proven.minedAfter(claim, 8000)).toBe(true);
    expect(await proven.minedAfter(claim, 9000)).toBe(false);
    seconds = [9, 8];
    expect(await proven.minedAfter(claim, 8000)).toBe(false);
    down = new Set([1]);
    expect(await proven.minedAfter(claim, 8000)).toBeUndefined();
    expect(await proven.minedAfter(claim, 9000)).toBe(false);
  });
});
