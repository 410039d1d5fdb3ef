import { type ChainPart, chainTestClient, startChain } from '@maker/local-stack';
import { type Address, parseEther } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createChainClient } from '../client.ts';
import { networkOf } from '../networks.ts';
import { BalanceReader } from './balance-reader.ts';
import { MOST_ADDRESSES_PER_CALL } from './balance-ways.ts';
import { rpcRequestOf } from './rpc-request.ts';

let chain: ChainPart;
let reader: BalanceReader;

beforeAll(async () => {
  chain = await startChain({ exchanges: false, blockSeconds: 0 });
  const client = createChainClient({ network: networkOf(chain.chainId), rpcUrls: [chain.rpcUrl] });
  reader = new BalanceReader(rpcRequestOf(client));
});
afterAll(() => chain?.stop());

const address = (index: number): Address => `0x${(index + 1_000_000).toString(16).padStart(40, '0')}`;

it('returns positive balances with their block', async () => {
  const test = chainTestClient(chain.rpcUrl);
  await test.setBalance({ address: address(0), value: 1n });
  await test.setBalance({ address: address(2), value: 2n ** 128n - 1n });
  await test.mine({ blocks: 3 });
  const [reading] = await reader.read([0, 1, 2, 3].map(address));
  const head = Number(await test.request({ method: 'eth_blockNumber' } as never));
  const block = (await test.request({ method: 'eth_getBlockByNumber', params: ['latest', false] } as never)) as {
    timestamp: string;
  };
  expect(reading).toEqual({
    blockNumber: head,
    timestampMs: Number(block.timestamp) * 1000,
    addresses: [0, 1, 2, 3].map(address),
    balances: new Map([
      [address(0), 1n],
      [address(2), 2n ** 128n - 1n],
    ]),
  });
});

it('splits addresses by creation code size', async () => {
  expect(await reader.probe()).toBe(MOST_ADDRESSES_PER_CALL);
  const test = chainTestClient(chain.rpcUrl);
  const addresses = Array.from({ length: 6000 }, (_, index) => address(index + 10));
  await test.setBalance({ address: address(5999), value: parseEther('2') });
  const readings = await reader.read(addresses);
  expect(readings.map((reading) => reading.addresses.length)).toEqual([2453, 2453, 1094]);
  expect(readings.flatMap(({ balances }) => [...balances])).toEqual([[address(5999), parseEther('2')]]);
});

it('halves calls above the contract size limit', async () => {
  const test = chainTestClient(chain.rpcUrl);
  const addresses = Array.from({ length: 1500 }, (_, index) => address(index + 20_000));
  await Promise.all(addresses.map((owner) => test.setBalance({ address: owner, value: 5n })));
  const readings = await reader.read(addresses);
  expect(readings.flatMap(({ balances }) => [...balances.keys()])).toEqual(addresses);
  expect(readings.length).toBe(2);
});

it.each(['by Multicall3', 'by plain calls'])('reads the same %s without recipient-less calls', async (way) => {
  const test = chainTestClient(chain.rpcUrl);
  const owners = [0, 1, 2].map((index) => address(index + 50_000));
  await test.setBalance({ address: address(50_001), value: 2n ** 100n });
  await test.mine({ blocks: 1 });
  const network = networkOf(chain.chainId);
  const request = rpcRequestOf(createChainClient({ network, rpcUrls: [chain.rpcUrl] }));
  const refusing: typeof request = async (call) => {
    const [{ to }] = call.params as [{ to?: string }];
    if (call.method === 'eth_call' && to === undefined) throw Object.assign(new Error('no'), { code: -32_602 });
    return request(call);
  };
  const multicall3 = way === 'by Multicall3' ? network.multicall3 : undefined;
  const [reading] = await new BalanceReader(refusing, { multicall3 }).read(owners);
  const [usual] = await new BalanceReader(request).read(owners);
  expect(reading).toEqual(usual);
  expect(reading?.balances).toEqual(new Map([[address(50_001), 2n ** 100n]]));
});
