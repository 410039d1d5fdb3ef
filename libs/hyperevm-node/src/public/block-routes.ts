import { isHex, numberToHex } from 'viem';
import type { BlockRecord } from '../chain/block-record.ts';
import { readHash, readHeight, readQuantity } from '../rules/block-heights.ts';
import { shownReceipts, shownTransactions } from '../rules/system-transactions.ts';
import type { WireBlock, WireReceipt } from '../rules/wire.ts';
import type { Route, View } from './view.ts';

const NOTHING: Route = { result: null };

/** Answers with the block of this height, as `content` shows it; with an error (or null, by switch) when there is none. */
export async function routeByHeight(
  view: View,
  height: unknown,
  content: (record: BlockRecord) => Route,
): Promise<Route> {
  if (view.switches.nullAboveHead && isHex(height) && Number(height) > view.head.number) return NOTHING;
  return content(await view.sources.state.block(readHeight(height, view.range)));
}

/** Answers with the block of this hash, as `content` shows it; with null when there is none. */
export async function routeByHash(view: View, hash: unknown, content: (record: BlockRecord) => Route): Promise<Route> {
  const record = await view.sources.state.blockByHash(readHash(hash));
  return record && view.knows(record.number) ? content(record) : NOTHING;
}

/** `eth_getBlockReceipts` takes a height or a hash. */
export function receiptsRoute(view: View, block: unknown): Promise<Route> {
  const content = (record: BlockRecord) => receiptsOf(view, record);
  const hash = (block as { blockHash?: unknown } | null)?.blockHash ?? block;
  return typeof hash === 'string' && hash.length === 66
    ? routeByHash(view, hash, content)
    : routeByHeight(view, (block as { blockNumber?: unknown } | null)?.blockNumber ?? block, content);
}

/** The block itself. @param whole with whole transactions, else with their hashes */
export function blockOf(view: View, { number, system, gasLimit }: BlockRecord, whole: unknown): Route {
  if (!system) return forward('eth_getBlockByNumber', numberToHex(number), whole === true);
  return fromWhole(number, (block) => {
    const shown = shownTransactions(block.transactions, system, view.switches.includeSystemTransactions);
    return {
      ...block,
      // The limit of the block's kind: system transactions do not use it.
      gasLimit: numberToHex(gasLimit),
      gasUsed: numberToHex(BigInt(block.gasUsed) - system.gasUsed),
      transactions: whole === true ? shown : shown.map(({ hash }) => hash),
    };
  });
}

/** The number of transactions that the block shows. */
export function transactionCountOf(view: View, { number, system }: BlockRecord): Route {
  const left = view.switches.includeSystemTransactions ? 0 : (system?.hashes.length ?? 0);
  return {
    forward: { method: 'eth_getBlockTransactionCountByNumber', params: [numberToHex(number)] },
    put: (count) => numberToHex(Number(count) - left),
  };
}

/** One transaction of the block. */
export function transactionAt(view: View, record: BlockRecord, index: unknown): Route {
  const wanted = readQuantity(index, 'a transaction index');
  const { number, system } = record;
  if (!system) return forward('eth_getTransactionByBlockNumberAndIndex', numberToHex(number), numberToHex(wanted));
  const included = view.switches.includeSystemTransactions;
  return fromWhole(number, ({ transactions }) => shownTransactions(transactions, system, included)[wanted] ?? null);
}

/** The credits from HyperCore in the block. */
export function systemTransactionsIn({ number, system }: BlockRecord): Route {
  if (!system) return { result: [] };
  return fromWhole(number, ({ transactions }) =>
    shownTransactions(transactions, system, true).filter(({ hash }) => system.hashes.includes(hash)),
  );
}

function receiptsOf(view: View, { number, system }: BlockRecord): Route {
  const height = numberToHex(number);
  if (!system) return forward('eth_getBlockReceipts', height);
  return {
    ...forward('eth_getBlockReceipts', height),
    put: (receipts) => shownReceipts(receipts as WireReceipt[], system, view.switches.includeSystemTransactions),
  };
}

/** Computes the result from a block with whole transactions. */
function fromWhole(number: number, put: (block: WireBlock) => unknown): Route {
  return { ...forward('eth_getBlockByNumber', numberToHex(number), true), put: (block) => put(block as WireBlock) };
}

function forward(method: string, ...params: readonly unknown[]) {
  return { forward: { method, params } };
}
