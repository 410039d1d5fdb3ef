import { type Address, createPublicClient, custom, type EIP1193RequestFn, numberToHex, pad } from 'viem';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChainClient } from '../client.ts';
import { EXCHANGES } from '../exchanges/exchanges.ts';
import { networkOf, viemChain } from '../networks.ts';
import type { VerifiedExchange } from '../shapes/shapes.ts';
import { Market } from './market.ts';

const [exchange] = EXCHANGES[999] as [VerifiedExchange];
const POOL = pad('0xe2', { size: 32 });
const MINUTE_MS = 60_000;

let market: Market;
let factoryReads = 0;
let nowMs = 1;

const tokenOf = (number: number): Address => pad(numberToHex(number), { size: 20 });
const quotes = (number: number) => market.quotes(tokenOf(number), 1n, 1n);

beforeEach(() => {
  factoryReads = 0;
  nowMs = 1;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const request = (async ({ params }: { params: [{ to: Address }] }) => {
    if (params[0].to === exchange.factory) factoryReads += 1;
    return POOL;
  }) as unknown as EIP1193RequestFn;
  // Without Multicall3, the client sends each read as its own request.
  const { contracts: _, ...chain } = viemChain(networkOf(999));
  const client = createPublicClient({ chain, transport: custom({ request }) }) as ChainClient;
  market = new Market(client, [exchange]);
  return () => vi.restoreAllMocks();
});

describe('remembered pools', () => {
  it.each([
    [9, 1],
    [11, 2],
  ])('after %i minutes were read %i times', async (minutes, reads) => {
    await quotes(1);
    nowMs += minutes * MINUTE_MS;
    await quotes(1);
    expect(factoryReads).toBe(reads);
  });

  it('are those of the last thousand tokens', async () => {
    for (let number = 1; number <= 1000; number += 1) await quotes(number);
    await quotes(1);
    expect(factoryReads).toBe(1000);
    await quotes(1001);
    await quotes(1);
    expect(factoryReads).toBe(1001);
    await quotes(2);
    expect(factoryReads).toBe(1002);
  });
});
