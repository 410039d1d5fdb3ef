import type { Address } from 'viem';
import { expect, it } from 'vitest';
import { WatchedAddresses } from './watched-addresses.ts';

const ADDRESS: Address = '0x00abcdef0123456789abcdef0123456789abcdef';
const digits = ADDRESS.slice(2);

function watching(...addresses: Address[]): WatchedAddresses {
  const watched = new WatchedAddresses();
  for (const address of addresses) watched.add(address);
  return watched;
}

it('finds an address at every byte offset of calldata (design § 4)', () => {
  const watched = watching(ADDRESS);
  for (let offset = 0; offset < 40; offset++) {
    const input = `0x${'5a'.repeat(offset)}${digits}${'a5'.repeat(7)}`;
    expect([...watched.findIn(input)], `offset ${offset}`).toEqual([ADDRESS]);
  }
  expect([...watched.findIn(`0x${digits}`)]).toEqual([ADDRESS]);
});

it('finds nothing between bytes, in a cut address, or in short calldata', () => {
  const watched = watching(ADDRESS);
  expect(watched.findIn(`0x5${digits}a`).size).toBe(0);
  expect(watched.findIn(`0x${'5a'.repeat(12)}${digits.slice(0, 38)}`).size).toBe(0);
  expect(watched.findIn('0x').size).toBe(0);
  expect(watched.findIn('0xa9059cbb').size).toBe(0);
});

it('finds several addresses, each once, and none that was removed', () => {
  const other: Address = `0x${'11'.repeat(20)}`;
  const watched = watching(ADDRESS, other);
  const input = `0x${digits}${other.slice(2)}${digits}`;
  expect(watched.findIn(input)).toEqual(new Set([ADDRESS, other]));
  watched.remove(other);
  expect(watched.findIn(input)).toEqual(new Set([ADDRESS]));
  expect(watched.size).toBe(1);
});

it('takes addresses in checksum form', () => {
  const watched = watching('0x00ABCDEF0123456789ABCDEF0123456789ABCDEF');
  expect(watched.has(ADDRESS)).toBe(true);
});
