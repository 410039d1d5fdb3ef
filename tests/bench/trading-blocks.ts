import type { Address, Hex } from 'viem';
import type { ProductClient } from '../support/product-client.ts';

/** Constant base fee, wei per gas: full blocks would raise it, and a high price would merge orders. */
const BASE_FEE = 100_000_000n;
const CHEAPEN_MS = 200;

/** Transactions of some wallets in a block. */
export interface Block {
  readonly number: bigint;
  readonly orders: number;
  readonly gas: number;
  readonly limit: number;
  /** Number of the wallets that traded in or around it. */
  readonly trading: number;
}

/** Blocks between the first and the last with orders, without these two. */
export async function blocksOf(
  { chain, control }: ProductClient,
  hashes: ReadonlySet<string>,
  { first, last }: { readonly first: bigint; readonly last: bigint },
): Promise<Block[]> {
  interface Row {
    readonly transactionHash: Hex;
    readonly from: Address;
    readonly gasUsed: Hex;
  }
  const rows: { number: bigint; orders: Row[]; limit: number }[] = [];
  for (let blockNumber = first; blockNumber <= last; blockNumber += 1n) {
    const { gasLimit } = await chain.getBlock({ blockNumber });
    const receipts = await control.request<Row[]>('eth_getBlockReceipts', `0x${blockNumber.toString(16)}`);
    rows.push({
      number: blockNumber,
      orders: receipts.filter(({ transactionHash }) => hashes.has(transactionHash)),
      limit: Number(gasLimit),
    });
  }
  const spans = new Map<Address, { from: number; to: number }>();
  for (const [index, { orders }] of rows.entries()) {
    for (const { from } of orders) spans.set(from, { from: spans.get(from)?.from ?? index, to: index });
  }
  const starts = Math.min(...[...spans.values()].map(({ from }) => from));
  const ends = Math.max(...[...spans.values()].map(({ to }) => to));
  return rows
    .map(({ number, orders, limit }, index) => ({
      number,
      orders: orders.length,
      gas: orders.reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0),
      limit,
      trading: [...spans.values()].filter(({ from, to }) => from < index && index < to).length,
    }))
    .slice(starts + 1, ends);
}

/** Keeps the gas price constant during trading. */
export async function keepCheap({ control }: ProductClient, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await control.setBaseFee('small', BASE_FEE);
    await new Promise((resolve) => setTimeout(resolve, CHEAPEN_MS));
  }
}
