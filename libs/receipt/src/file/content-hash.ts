import { keccak_256 } from '@noble/hashes/sha3.js';
import canonicalize from 'canonicalize';
import { bytesToHex, type Hash } from 'viem';
import type { ReceiptHead, SignedOrder, SignedReceipt } from './receipt-file.ts';

type Pages = AsyncIterable<readonly SignedOrder[]> | Iterable<readonly SignedOrder[]>;

/** Hash of a receipt: keccak-256 of its canonical JSON (RFC 8785). */
export async function contentHashOf({ orders, ...head }: SignedReceipt): Promise<Hash> {
  return contentHashOfPages(head, [orders]);
}

/** Hash of a receipt whose orders come page by page, so that memory never holds all of them. */
export async function contentHashOfPages(head: ReceiptHead, pages: Pages): Promise<Hash> {
  const hash = keccak_256.create();
  const encoder = new TextEncoder();
  for await (const piece of canonicalPieces(head, pages)) hash.update(encoder.encode(piece));
  return bytesToHex(hash.digest());
}

/** A receipt in canonical JSON (RFC 8785), piece by piece. */
export async function* canonicalPieces(head: ReceiptHead, pages: Pages): AsyncGenerator<string> {
  const ORDERS = 'orders';
  // RFC 8785 sorts by UTF-16 code units, like JavaScript's default sort.
  const names = [...Object.keys(head), ORDERS].sort();
  for (const [index, name] of names.entries()) {
    yield `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`;
    if (name === ORDERS) yield* listPieces(pages);
    else yield canonicalText(head[name as keyof ReceiptHead]);
  }
  yield '}';
}

async function* listPieces(pages: Pages): AsyncGenerator<string> {
  let opened = false;
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield `${opened ? ',' : '['}${page.map(canonicalText).join(',')}`;
    opened = true;
  }
  yield opened ? ']' : '[]';
}

/** A value in canonical JSON (RFC 8785). @throws TypeError for a value that JSON cannot express */
export function canonicalText(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('A receipt holds JSON values only');
  return text;
}
