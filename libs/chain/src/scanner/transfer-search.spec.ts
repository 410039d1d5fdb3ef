import type { Address, Hash } from 'viem';
import { describe, expect, it } from 'vitest';
import type { RpcRequest } from './rpc-request.ts';
import { earlierTransfers, systemTransfers, transfersOnAnyHost } from './searched-blocks.ts';
import { signedPayment } from './signed-transaction.fixture.ts';
import { SimulatedChain } from './simulated-chain.fixture.ts';
import { TransferSearch } from './transfer-search.ts';

const SYSTEM: Address = `0x${'22'.repeat(20)}`;
const HALF_HYPE = 500_000_000_000_000_000n;
const addressOf = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}`;

/** A chain with a number of blocks, and a search on a node that may hide answers. */
function searching(blocks: number, hides: (method: string, parameter: unknown) => boolean = () => false) {
  const chain = new SimulatedChain(() => undefined);
  for (let count = 1; count < blocks; count++) chain.mine();
  let requests = 0;
  const request: RpcRequest = async (call) => {
    requests += 1;
    return hides(call.method, call.params[0]) ? null : chain.request(call);
  };
  const search = new TransferSearch(earlierTransfers(request));
  return { chain, search, requests: () => requests };
}

async function pay(chain: SimulatedChain) {
  const payment = await signedPayment(addressOf(1), HALF_HYPE);
  chain.mine([payment]);
  return payment;
}

describe('a search for payers before an address was watched', () => {
  it('reads each block once for all addresses', async () => {
    const { search, requests } = searching(80);
    for (let index = 1; index <= 800; index++) {
      search.want({ address: addressOf(index), amountWei: HALF_HYPE, fromBlock: 20, toBlock: 79 });
    }
    while (!search.isIdle) await search.step(8);
    expect(requests()).toBe(60);
    expect(search.takeFinished()).toHaveLength(800);
  });

  it('reads a bounded number of blocks per step', async () => {
    const { search, requests } = searching(80);
    search.want({ address: addressOf(1), amountWei: HALF_HYPE, fromBlock: 20, toBlock: 79 });
    for (let step = 1; step <= 7; step++) {
      await search.step(8);
      expect(requests()).toBe(8 * step);
      expect(search.isIdle).toBe(false);
    }
    await search.step(8);
    expect(search.isIdle).toBe(true);
  });

  it('resumes where a read failed', async () => {
    let fails = false;
    const { search, chain } = searching(30, () => {
      if (fails) throw new Error('the node is away');
      return false;
    });
    const { hash: transactionHash } = await pay(chain);
    for (let count = 0; count < 20; count++) chain.mine();
    search.want({ address: addressOf(1), amountWei: HALF_HYPE, fromBlock: 1, toBlock: 50 });
    await search.step(8);
    fails = true;
    await expect(search.step(8)).rejects.toThrow('away');
    fails = false;
    while (!search.isIdle) await search.step(8);
    expect(search.takeFinished()).toMatchObject([{ isComplete: true, transfers: [{ transactionHash }] }]);
  });

  it.each([
    ['a receipt', (method: string) => method === 'eth_getTransactionReceipt'],
    ['a block', (method: string, parameter: unknown) => method === 'eth_getBlockByNumber' && parameter === '0x1e'],
  ])('retries %s that is null once', async (_, isHidden) => {
    let hidden = 0;
    const { search, chain } = searching(30, (method, parameter) => isHidden(method, parameter) && hidden++ === 0);
    const { hash: transactionHash } = await pay(chain);
    search.want({ address: addressOf(1), amountWei: HALF_HYPE, fromBlock: 1, toBlock: 30 });
    await search.step(8);
    expect(search.takeFinished()).toEqual([]);
    await search.step(8);
    expect(search.takeFinished()).toMatchObject([{ isComplete: true, transfers: [{ transactionHash }] }]);
  });

  it.each([
    ['list', 'eth_getSystemTxsByBlockNumber'],
    ['block', 'eth_getBlockByNumber'],
  ])('retries a %s of system credits that is null once', async (_, hiddenMethod) => {
    let hidden = 0;
    const transactionHash = `0x${'5c'.repeat(32)}`;
    const credit = { hash: transactionHash, from: SYSTEM, to: addressOf(1), value: '0x5', input: '0x' };
    const request: RpcRequest = async ({ method, params: [number] }) => {
      if (method === hiddenMethod && hidden++ === 0) return null;
      if (method === 'eth_getSystemTxsByBlockNumber') return number === '0x1e' ? [credit] : [];
      return { number, hash: `0x${'0b'.repeat(32)}`, parentHash: `0x${'0a'.repeat(32)}`, timestamp: '0x1' };
    };
    const search = new TransferSearch(systemTransfers(request));
    search.want({ address: addressOf(1), amountWei: 5n, fromBlock: 30, toBlock: 30 });
    await search.step(8);
    expect(search.takeFinished()).toEqual([]);
    await search.step(8);
    expect(search.takeFinished()).toMatchObject([{ isComplete: true, transfers: [{ transactionHash, from: null }] }]);
  });

  it('gives up on null as unknown', async () => {
    const { search, chain } = searching(30, (method) => method === 'eth_getTransactionReceipt');
    await pay(chain);
    search.want({ address: addressOf(1), amountWei: HALF_HYPE, fromBlock: 1, toBlock: 30 });
    for (let step = 1; step < 20; step++) await search.step(8);
    expect(search.isIdle).toBe(false);
    await search.step(8);
    expect(search.takeFinished()).toEqual([{ address: addressOf(1), isComplete: false, transfers: [] }]);
  });
});

describe('a search of every host', () => {
  /** Two hosts of one chain; the first one leaves payments out of its blocks. */
  async function searchingHosts(enough = 2) {
    const chain = new SimulatedChain(() => undefined);
    for (let count = 1; count < 20; count++) chain.mine();
    const payment = await pay(chain);
    for (let count = 0; count < 5; count++) chain.mine();
    /** Hosts that do not answer, and methods that answer null. */
    const down = new Set<string>();
    const hostOf = (origin: string, omits: boolean) => ({
      origin,
      async request(call: Parameters<RpcRequest>[0]) {
        if (down.has(origin)) throw new Error('no answer');
        if (down.has(call.method)) return null;
        const answer = await chain.request(call);
        return omits && call.method === 'eth_getBlockByNumber' ? { ...(answer as object), transactions: [] } : answer;
      },
    });
    const hosts = [hostOf('omitting', true), hostOf('honest', false)];
    const search = new TransferSearch(transfersOnAnyHost({ hosts: () => hosts, enough, chainId: 999 }));
    const want = { address: addressOf(1), amountWei: HALF_HYPE, fromBlock: 10, toBlock: 25, known: new Set<Hash>() };
    return { search, payment, down, want };
  }

  it('finds what the first host leaves out', async () => {
    const { search, payment, want } = await searchingHosts();
    search.want(want);
    while (!search.isIdle) await search.step(8);
    expect(search.takeFinished()).toMatchObject([{ isComplete: true, transfers: [{ transactionHash: payment.hash }] }]);
  });

  it('waits for the other host, however long', async () => {
    const { search, payment, down, want } = await searchingHosts();
    down.add('honest');
    search.want(want);
    for (let step = 0; step < 500; step++) await search.step(8);
    expect(search.takeFinished()).toEqual([]);
    down.clear();
    while (!search.isIdle) await search.step(8);
    expect(search.takeFinished()).toMatchObject([{ isComplete: true, transfers: [{ transactionHash: payment.hash }] }]);
  });

  it('waits for a receipt that no host has yet', async () => {
    const { search, payment, down, want } = await searchingHosts();
    down.add('eth_getTransactionReceipt');
    search.want(want);
    for (let step = 0; step < 10; step++) await search.step(8);
    expect(search.takeFinished()).toEqual([]);
    down.clear();
    while (!search.isIdle) await search.step(8);
    expect(search.takeFinished()).toMatchObject([{ isComplete: true, transfers: [{ transactionHash: payment.hash }] }]);
  });

  it('excludes known transfers and larger ones', async () => {
    const { search, payment, want } = await searchingHosts();
    search.want({ ...want, known: new Set([payment.hash]) });
    search.want({ ...want, amountWei: HALF_HYPE - 1n });
    while (!search.isIdle) await search.step(8);
    expect(search.takeFinished().map(({ transfers }) => transfers)).toEqual([[], []]);
  });
});
