import { encodeAbiParameters, type Hex, stringToHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { tokenMetadata } from './token-metadata.ts';

const { decode } = tokenMetadata('0x00000000000000000000000000000000000000aa');
const uint = (value: bigint): Hex => encodeAbiParameters([{ type: 'uint256' }], [value]);
const string = (value: string): Hex => encodeAbiParameters([{ type: 'string' }], [value]);
const bytes32 = (value: string): Hex => stringToHex(value, { size: 32 });

describe('tokenMetadata', () => {
  it('reads a plain ERC-20', () => {
    expect(decode([uint(6n), uint(1n), uint(0n), string('USDC'), string('USD Coin')])).toEqual({
      decimals: 6,
      symbol: 'USDC',
      name: 'USD Coin',
    });
  });

  it('reads bytes32 names and accepts missing ones', () => {
    expect(decode([uint(18n), uint(1n), uint(0n), bytes32('MKR'), undefined])).toEqual({
      decimals: 18,
      symbol: 'MKR',
      name: '',
    });
  });

  it('cuts long names and drops unprintable characters', () => {
    const token = decode([uint(18n), uint(1n), uint(0n), string('A\u0000B\u202e'), string('x'.repeat(500))]);
    expect(token?.symbol).toBe('AB');
    expect(token?.name).toHaveLength(64);
  });

  it('rejects a contract without decimals, supply and balances', () => {
    expect(decode([undefined, uint(1n), uint(0n), string('NFT'), string('NFT')])).toBeUndefined();
    expect(decode([uint(18n), undefined, uint(0n), string('A'), string('A')])).toBeUndefined();
    expect(decode(['0x', '0x', '0x', '0x', '0x'])).toBeUndefined();
    expect(decode([uint(1n << 200n), uint(1n), uint(0n), string('A'), string('A')])).toBeUndefined();
  });
});
