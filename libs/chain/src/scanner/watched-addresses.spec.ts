import type { Address } from 'viem';
import { expect, it } from 'vitest';
import { WatchedAddresses } from './watched-addresses.ts';

const ADDRESS: Address = '0x00abcdef0123456789abcdef0123456789abcdef';
const OTHER: Address = `0x${'11'.repeat(20)}`;
const digits = ADDRESS.slice(2);

function watching(...addresses: Address[]): WatchedAddresses {
  const watched = new WatchedAddresses();
  for (const address of addresses) watched.add(address);
  return watched;
}

it.each([ADDRESS, OTHER])('finds %s at every byte offset', (address) => {
  const watched = watching(address);
  for (let offset = 0; offset < 40; offset++) {
    const input = `0x${'5a'.repeat(offset)}${address.slice(2)}${'a5'.repeat(7)}`;
    expect([...watched.findIn(input)], `offset ${offset}`).toEqual([address]);
  }
  expect([...watched.findIn(address)]).toEqual([address]);
});

it('separates addresses that differ by a bit', () => {
  const beside: Address = `0x111110${OTHER.slice(8)}`;
  const watched = watching(OTHER, beside);
  for (const address of [OTHER, beside]) expect([...watched.findIn(address)]).toEqual([address]);
});

it('ignores unaligned, cut and short calldata', () => {
  const watched = watching(ADDRESS);
  expect(watched.findIn(`0x5${digits}a`).size).toBe(0);
  expect(watched.findIn(`0x${'5a'.repeat(12)}${digits.slice(0, 38)}`).size).toBe(0);
  expect(watched.findIn('0x').size).toBe(0);
  expect(watched.findIn('0xa9059cbb').size).toBe(0);
});

it('finds several addresses, each once, and none that was removed', () => {
  const watched = watching(ADDRESS, OTHER);
  const input = `0x${digits}${OTHER.slice(2)}${digits}`;
  expect(watched.findIn(input)).toEqual(new Set([ADDRESS, OTHER]));
  watched.remove(OTHER);
  expect(watched.findIn(input)).toEqual(new Set([ADDRESS]));
  expect(watched.size).toBe(1);
});

it('takes addresses in checksum form', () => {
  const watched = watching('0x00ABCDEF0123456789ABCDEF0123456789ABCDEF');
  expect(watched.has(ADDRESS)).toBe(true);
});
