import { type Address, type Hash, parseEther } from 'viem';
import { beforeAll, describe, expect, it } from 'vitest';
import { Hosts } from '../agreement/hosts.ts';
import type { ChainClient } from '../client.ts';
import { type ClaimedTransfer, proveTransfer } from './prove-transfer.ts';
import { from, signed } from './signed-transaction.fixture.ts';
import type { WireTransaction } from './wire-block.ts';

const CHAIN_ID = 999;
const WALLET: Address = `0x${'aa'.repeat(20)}`;
const LIAR: Address = `0x${'bb'.repeat(20)}`;
const BLOCK: Hash = `0x${'01'.repeat(32)}`;
const OTHER_BLOCK: Hash = `0x${'02'.repeat(32)}`;
const AMOUNT = parseEther('0.5');

type Shown = {
  readonly transaction?: WireTransaction;
  readonly status?: string;
  readonly blockHash?: Hash;
  readonly blockNumber?: string;
};

let transaction: WireTransaction;
let claim: ClaimedTransfer;
let honest: Shown;

beforeAll(async () => {
  const fields = {
    type: 'legacy',
    to: WALLET,
    value: AMOUNT,
    nonce: 1,
    gas: 21_000n,
    gasPrice: 2_000_000_000n,
  } as const;
  transaction = await signed({ ...fields, chainId: CHAIN_ID });
  claim = { transactionHash: transaction.hash, from, to: WALLET, amountWei: AMOUNT };
  honest = { transaction, status: '0x1' };
});

/** Hosts with these answers; 'down' does not answer. */
function clientOf(...hosts: readonly (Shown | 'down')[]): ChainClient {
  const answers = hosts.map((shown, index) => ({
    origin: `host-${index}`,
    async request({ method }: { method: string }) {
      if (shown === 'down') throw new Error('no answer');
      if (method === 'eth_getTransactionByHash') return shown.transaction ?? null;
      const { status, blockHash = BLOCK, blockNumber = '0x7' } = shown;
      return status ? { status, blockHash, blockNumber } : null;
    },
  }));
  return { transport: { hostCount: hosts.length, hosts: () => answers } } as unknown as ChainClient;
}

const locate = (client: ChainClient, change: Partial<ClaimedTransfer> = {}, trustsSingle = false) =>
  proveTransfer(new Hosts(client, trustsSingle), { ...claim, ...change }, CHAIN_ID);
const prove = async (...asked: Parameters<typeof locate>) => (await locate(...asked)).proof;

describe('a claimed transfer (docs/adr/0075)', () => {
  it('is proven when two hosts show it in one block', async () => {
    expect(await prove(clientOf(honest, honest))).toBe('proven');
    expect(await prove(clientOf(honest, honest, {}))).toBe('proven');
    expect(await prove(clientOf({ status: '0x1' }, honest))).toBe('proven');
  });

  it('names the block that the hosts agree on', async () => {
    expect(await locate(clientOf(honest, honest))).toEqual({ proof: 'proven', blockNumber: 7 });
    expect(await locate(clientOf(honest, { ...honest, blockNumber: '0x8' }))).toEqual({ proof: 'unanswered' });
  });

  it.each<[string, Partial<ClaimedTransfer>]>([
    ['sender', { from: LIAR }],
    ['recipient', { to: LIAR }],
    ['value', { amountWei: AMOUNT + 1n }],
  ])('is false with another %s, even by one host', async (_, change) => {
    expect(await prove(clientOf(honest, honest), change)).toBe('false');
    expect(await prove(clientOf({}, honest), change)).toBe('false');
  });

  it('is not proven by one of two hosts', async () => {
    expect(await prove(clientOf(honest, {}))).toBe('unanswered');
    expect(await prove(clientOf({}, honest))).toBe('unanswered');
    expect(await prove(clientOf(honest, {}), {}, true)).toBe('unanswered');
  });

  it('is unproven when reverted, unmined or in two blocks', async () => {
    expect(await prove(clientOf(honest, { ...honest, blockHash: OTHER_BLOCK }))).toBe('unanswered');
    expect(await prove(clientOf({ transaction, status: '0x0' }, { transaction, status: '0x0' }))).toBe('contradicted');
    expect(await prove(clientOf({ transaction }, { transaction }))).toBe('contradicted');
  });

  it('is false by its signature against all hosts', async () => {
    const lie = { ...honest, transaction: { ...transaction, from: LIAR } };
    expect(await prove(clientOf(lie, lie), { from: LIAR })).toBe('false');
    expect(await prove(clientOf(lie, lie))).toBe('proven');
  });

  it('is not proven by receipts without a signature', async () => {
    expect(await prove(clientOf({ status: '0x1' }, { status: '0x1' }))).toBe('unanswered');
  });

  it('waits for a second host, unless one is trusted', async () => {
    expect(await prove(clientOf(honest, 'down'))).toBe('unanswered');
    expect(await prove(clientOf('down', 'down'), {}, true)).toBe('unanswered');
    expect(await prove(clientOf(honest))).toBe('unanswered');
    expect(await prove(clientOf(honest), {}, true)).toBe('proven');
    expect(await prove(clientOf(honest, 'down'), {}, true)).toBe('proven');
    expect(await prove(clientOf({}), {}, true)).toBe('contradicted');
  });
});
