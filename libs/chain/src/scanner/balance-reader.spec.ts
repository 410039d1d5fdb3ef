import type { Address } from 'viem';
import { describe, expect, it } from 'vitest';
import { BalanceReader } from './balance-reader.ts';
import { BALANCE_PROGRAM_BYTES } from './balance-ways.ts';
import type { RpcRequest } from './rpc-request.ts';

const addresses = Array.from({ length: 100 }, (_, index): Address => `0x${index.toString(16).padStart(40, '0')}`);

/** A node that runs out of gas above a number of addresses; every address owns 7 wei. */
function limitedNode(mostAddresses: number, refusal: object): { request: RpcRequest; calls: number[] } {
  const calls: number[] = [];
  const request: RpcRequest = async ({ method, params }) => {
    if (method !== 'eth_call') throw Object.assign(new Error('refused'), refusal);
    const { data } = params[0] as { data: string };
    const count = (data.length / 2 - 1 - BALANCE_PROGRAM_BYTES) / 20;
    calls.push(count);
    if (count > mostAddresses) throw Object.assign(new Error('refused'), refusal);
    const hits = Array.from({ length: count }, (_, index) => {
      const offset = (BALANCE_PROGRAM_BYTES + 20 * index).toString(16).padStart(8, '0');
      return `${offset}${(7).toString(16).padStart(32, '0')}`;
    });
    return `0x${(9).toString(16).padStart(16, '0')}${(8).toString(16).padStart(16, '0')}${hits.join('')}`;
  };
  return { request, calls };
}

it('halves its calls when gas runs out', async () => {
  const { request, calls } = limitedNode(30, { code: -32000 });
  const reader = new BalanceReader(request, { addressesPerCall: 100 });
  const readings = await reader.read(addresses);
  expect(calls).toEqual([100, 50, 25, 25, 25, 25]);
  expect(readings.flatMap((reading) => [...reading.balances.keys()])).toEqual(addresses);
  expect(readings.every(({ blockNumber, timestampMs }) => blockNumber === 9 && timestampMs === 8000)).toBe(true);
  expect(reader.addressesPerCall).toBe(25);
});

it('treats parallel failures as one bad moment', async () => {
  let nowMs = 0;
  let atOnce = 0;
  let mostAtOnce = 0;
  let bad = true;
  const { request, calls } = limitedNode(10, {});
  const slow: RpcRequest = async (call) => {
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    atOnce -= 1;
    if (bad) throw Object.assign(new Error('internal error'), { code: -32_603 });
    return request(call);
  };
  const reader = new BalanceReader(slow, { addressesPerCall: 10, now: () => nowMs });
  await expect(reader.read(addresses)).rejects.toThrow('internal error');
  expect(mostAtOnce).toBe(4);
  bad = false;
  nowMs += 60_000;
  const readings = await reader.read(addresses);
  expect(calls).toEqual(Array.from({ length: 10 }, () => 10));
  expect(readings.flatMap((reading) => reading.addresses)).toEqual(addresses);
});

it('halves its calls when the body is too large', async () => {
  const { request } = limitedNode(60, { status: 413 });
  expect(await new BalanceReader(request, { addressesPerCall: 100 }).probe()).toBe(50);
});

it('stops calls on a rate limit or dead node', async () => {
  for (const refusal of [{ code: -32005 }, { status: 429 }, {}]) {
    const { request, calls } = limitedNode(30, refusal);
    await expect(new BalanceReader(request, { addressesPerCall: 100 }).read(addresses)).rejects.toThrow('refused');
    expect(calls).toHaveLength(1);
  }
});

it('gives up when even the smallest call is refused', async () => {
  const { request } = limitedNode(0, { code: -32000 });
  await expect(new BalanceReader(request, { addressesPerCall: 100 }).read(addresses)).rejects.toThrow('refused');
});

it('explains an answer of the wrong form', async () => {
  const reader = new BalanceReader(async () => '0x');
  await expect(reader.read(addresses)).rejects.toMatchObject({ code: 'BALANCE_READ_FAILED' });
});

it('returns to large calls after a bad moment', async () => {
  let nowMs = 0;
  let bad = true;
  const { request, calls } = limitedNode(100, {});
  const moody: RpcRequest = async (call) => {
    if (!bad) return request(call);
    bad = false;
    throw Object.assign(new Error('internal error'), { code: -32_603 });
  };
  const reader = new BalanceReader(moody, { addressesPerCall: 100, now: () => nowMs });
  await reader.read(addresses);
  expect(calls).toEqual([50, 50]);
  nowMs += 60_000;
  await reader.read(addresses);
  expect(calls.slice(2)).toEqual([100]);
});

describe('where calls without a recipient are refused (hyperevm § 1.2)', () => {
  const MULTICALL3: Address = `0x${'ca'.repeat(20)}`;
  const REFUSED = Object.assign(new Error('invalid params: missing field `to`'), { code: -32_602 });

  /** A node that accepts only plain calls; every address owns 7 wei, and it mines a block after a number of balance reads. */
  function plainNode(balancesPerBlock: number) {
    let block = 9;
    let read = 0;
    const methods: string[] = [];
    const request: RpcRequest = async ({ method }) => {
      methods.push(method);
      if (method === 'eth_call') throw REFUSED;
      if (method === 'eth_getBlockByNumber') return { number: `0x${block}`, hash: `0x${block}`, timestamp: '0x8' };
      read += 1;
      if (read % balancesPerBlock === 0 && block < 12) block += 1;
      return '0x7';
    };
    return { request, methods };
  }

  it('reads single balances of one block without Multicall3', async () => {
    const { request } = plainNode(10);
    const [reading] = await new BalanceReader(request).read(addresses.slice(0, 5));
    expect(reading).toMatchObject({ blockNumber: 9, timestampMs: 8000 });
    expect([...(reading?.balances ?? [])]).toEqual(addresses.slice(0, 5).map((address) => [address, 7n]));
    const [later] = await new BalanceReader(request).read(addresses.slice(0, 6));
    expect(later?.blockNumber).toBeGreaterThan(9);
  });

  it('remembers a refused way and retries it later', async () => {
    let nowMs = 0;
    const { request, methods } = plainNode(1000);
    const reader = new BalanceReader(request, { multicall3: MULTICALL3, now: () => nowMs });
    const calls = () => methods.splice(0).filter((method) => method === 'eth_call').length;
    for (const [atMs, tried] of [
      [0, 2],
      [500_000, 0],
      [700_000, 2],
    ] as const) {
      nowMs = atMs;
      await reader.read(addresses.slice(0, 3));
      expect(calls()).toBe(tried);
    }
  });
});
