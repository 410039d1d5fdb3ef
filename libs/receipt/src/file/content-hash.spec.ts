import canonicalize from 'canonicalize';
import { keccak256, stringToBytes } from 'viem';
import { describe, expect, it } from 'vitest';
import { honestReceipt } from '../honest-receipt.fixture.ts';
import { canonicalPieces, canonicalText, contentHashOf, contentHashOfPages } from './content-hash.ts';

const { orders, ...head } = honestReceipt(4).receipt;

async function textOf(pages: Parameters<typeof canonicalPieces>[1]): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of canonicalPieces(head, pages)) pieces.push(piece);
  return pieces.join('');
}

describe('the content of a receipt (docs/receipt.md)', () => {
  it.each([
    ['on one page', [orders]],
    ['on several, of which some are empty', [[], orders.slice(0, 1), [], orders.slice(1, 3), orders.slice(3), []]],
  ])('is its canonical JSON, with its orders %s', async (_, pages) => {
    expect(await textOf(pages)).toBe(canonicalize({ ...head, orders }));
  });

  it.each([
    ['no page', []],
    ['an empty one', [[]]],
  ])('is its canonical JSON without orders, by %s', async (_, pages) => {
    expect(await textOf(pages)).toBe(canonicalize({ ...head, orders: [] }));
  });

  it('hashes by keccak-256 in any order of pages', async () => {
    const hash = keccak256(stringToBytes(canonicalize({ ...head, orders }) ?? ''));
    expect(await contentHashOf({ ...head, orders })).toBe(hash);
    expect(await contentHashOfPages(head, [orders.slice(0, 2), orders.slice(2)])).toBe(hash);
  });

  it('accepts JSON values only', () => {
    expect(canonicalText({ b: 1, a: null })).toBe('{"a":null,"b":1}');
    expect(() => canonicalText(undefined)).toThrow(new TypeError('A receipt holds JSON values only'));
  });
});
