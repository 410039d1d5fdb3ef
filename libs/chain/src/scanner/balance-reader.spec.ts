import type { Address } from 'viem';
import { expect, it } from 'vitest';
import { BALANCE_PROGRAM_BYTES } from './balance-program.ts';
import { BalanceReader } from './balance-reader.ts';
import type { RpcRequest } from './rpc-request.ts';

const addresses = Array.from({ length: 100 }, (_, index): Address => `0x${index.toString(16).padStart(40, '0')}`);

/** A node that runs out of gas above a number of addresses; every address owns 7 wei. */
function limitedNode(mostAddresses: number, refusal: object): { request: RpcRequest; calls: number[] } {
  const calls: number[] = [];
  const request: RpcRequest = async ({ params }) => {
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

it('halves its calls when the node runs out of gas, and stays with that (design § 4)', async () => {
  const { request, calls } = limitedNode(30, { code: -32000 });
  const reader = new BalanceReader(request, 100);
  const readings = await reader.read(addresses);
  expect(calls).toEqual([100, 50, 25, 25, 25, 25]);
  expect(readings.flatMap((reading) => [...reading.balances.keys()])).toEqual(addresses);
  expect(readings.every(({ blockNumber, timestampMs }) => blockNumber === 9 && timestampMs === 8000)).toBe(true);
  expect(reader.addressesPerCall).toBe(25);
});

it('halves its calls when the body is too large', async () => {
  const { request } = limitedNode(60, { status: 413 });
  expect(await new BalanceReader(request, 100).probe()).toBe(50);
});

it('gives a rate limit and a dead node back to the caller instead of making more calls', async () => {
  for (const refusal of [{ code: -32005 }, { status: 429 }, {}]) {
    const { request, calls } = limitedNode(30, refusal);
    await expect(new BalanceReader(request, 100).read(addresses)).rejects.toThrow('refused');
    expect(calls).toHaveLength(1);
  }
});

it('gives up when even the smallest call is refused', async () => {
  const { request } = limitedNode(0, { code: -32000 });
  await expect(new BalanceReader(request, 100).read(addresses)).rejects.toThrow('refused');
});

it('says what is wrong when the node answers with something else', async () => {
  const reader = new BalanceReader(async () => '0x');
  await expect(reader.read(addresses)).rejects.toMatchObject({ code: 'BALANCE_READ_FAILED' });
});
