import { isHex, numberToHex } from 'viem';
import type { BlockRecord } from '../chain/block-record.ts';
import { readHash, readHeight, readQuantity } from '../rules/block-heights.ts';
import { shownBlock, shownReceipts, shownTransactions, systemTransactionsOf } from '../rules/system-transactions.ts';
import type { WireBlock, WireReceipt } from '../rules/wire.ts';
import type { Route, View } from './view.ts';

const NOTHING: Route = { result: null };

/** A block of this height, as `content` shows it; an error (or null, by switch) when there is none. */
export async function routeByHeight(
  view: View,
  height: unknown,
  content: (record: BlockRecord) => Route,
): Promise<Route> {
  if (view.switches.nullAboveHead && isHex(height) && Number(height) > view.head.number) return NOTHING;
  return content(await view.sources.state.block(readHeight(height, view.range)));
}

/** A block with this hash, as `content` shows it; null when there is none. */
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
  const height = numberToHex(number);
  if (!system) return forward('eth_getBlockByNumber', height, whole === true);
  return {
    forward: { method: 'eth_getBlockByNumber', params: [height, true] },
    put: (block) => {
      const shown = shownBlock(block as WireBlock, system, gasLimit, view.switches.includeSystemTransactions);
      return whole === true ? shown : { ...shown, transactions: shown.transactions.map(({ hash }) => hash) };
    },
  };
}

/** How many transactions the block shows. */
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
  return {
    forward: { method: 'eth_getBlockByNumber', params: [numberToHex(number), true] },
    put: (block) => {
      const { transactions } = block as WireBlock;
      return shownTransactions(transactions, system, view.switches.includeSystemTransactions)[wanted] ?? null;
    },
  };
}

/** The credits from HyperCore in the block. */
export function systemTransactionsIn({ number, system }: BlockRecord): Route {
  if (!system) return { result: [] };
  return {
    forward: { method: 'eth_getBlockByNumber', params: [numberToHex(number), true] },
    put: (block) => systemTransactionsOf((block as WireBlock).transactions, system),
  };
}

function receiptsOf(view: View, { number, system }: BlockRecord): Route {
  const height = numberToHex(number);
  if (!system) return forward('eth_getBlockReceipts', height);
  return {
    forward: { method: 'eth_getBlockReceipts', params: [height] },
    put: (receipts) => shownReceipts(receipts as WireReceipt[], system, view.switches.includeSystemTransactions),
  };
}

function forward(method: string, ...params: readonly unknown[]): Route {
  return { forward: { method, params } };
}
