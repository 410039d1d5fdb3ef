import { encodeAbiParameters, encodeEventTopics, type Log } from 'viem';
import { describe, expect, it } from 'vitest';
import { erc20Abi } from '../abi/erc20.ts';
import { tokensReceived } from './tokens-received.ts';

const TOKEN = '0x00000000000000000000000000000000000000aa';
const OTHER = '0x00000000000000000000000000000000000000bb';
const WALLET = '0x0000000000000000000000000000000000000001';
const POOL = '0x0000000000000000000000000000000000000002';

function transfer(address: `0x${string}`, from: `0x${string}`, to: `0x${string}`, value: bigint): Log {
  return {
    address,
    topics: encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from, to } }),
    data: encodeAbiParameters([{ type: 'uint256' }], [value]),
  } as unknown as Log;
}

describe('tokensReceived', () => {
  it('sums income from the pool less outflow', () => {
    const logs = [
      transfer(TOKEN, POOL, WALLET, 100n),
      transfer(TOKEN, WALLET, POOL, 3n),
      transfer(TOKEN, POOL, POOL, 9n),
    ];
    expect(tokensReceived({ logs }, TOKEN, WALLET)).toBe(97n);
  });

  it("ignores another contract's events", () => {
    expect(tokensReceived({ logs: [transfer(OTHER, POOL, WALLET, 100n)] }, TOKEN, WALLET)).toBe(0n);
  });

  it('is zero for a failed transaction', () => {
    expect(tokensReceived({ logs: [] }, TOKEN, WALLET)).toBe(0n);
  });
});
