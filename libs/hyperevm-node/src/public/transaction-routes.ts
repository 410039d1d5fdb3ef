import { type Hex, numberToHex } from 'viem';
import { resultOf } from '../execution/execution.ts';
import { readHash } from '../rules/block-heights.ts';
import { BLOCK_GAS } from '../rules/block-schedule.ts';
import { type SystemTransactions, shownReceipts, shownTransactions } from '../rules/system-transactions.ts';
import { readSignedTransaction, refuseLargerThanBlock } from '../rules/transaction.ts';
import type { WireTransaction } from '../rules/wire.ts';
import type { Route, Sources, View } from './view.ts';

/** A transaction in a block; null for a waiting or unknown one. */
export function transactionRoute(view: View, hash: unknown): Route {
  return routeInBlock(view, 'eth_getTransactionByHash', hash, shownTransactions);
}

/** The receipt of a transaction in a block. */
export function receiptRoute(view: View, hash: unknown): Route {
  return routeInBlock(view, 'eth_getTransactionReceipt', hash, shownReceipts);
}

function routeInBlock<Found extends Pick<WireTransaction, 'blockNumber'>>(
  view: View,
  method: string,
  hash: unknown,
  shown: (found: readonly Found[], system: SystemTransactions, included: boolean) => readonly Found[],
): Route {
  return {
    forward: { method, params: [readHash(hash)] },
    put: async (result) => {
      const found = result as Found | null;
      if (!found?.blockNumber || !view.knows(Number(found.blockNumber))) return null;
      const { system } = await view.sources.state.block(Number(found.blockNumber));
      if (!system) return found;
      return shown([found], system, view.switches.includeSystemTransactions)[0] ?? null;
    },
  };
}

/** Adds a signed transaction to the mempool. @returns its hash @throws RpcError */
export async function submit(sources: Sources, raw: unknown): Promise<Hex> {
  const { execution, state, mempool, bigBlockUsers } = sources;
  const transaction = await readSignedTransaction(raw, state.chainId);
  const kind = bigBlockUsers.has(transaction.sender) ? 'big' : 'small';
  refuseLargerThanBlock(transaction, kind, BLOCK_GAS[kind]);
  const { number, timestamp } = state.head;
  const at = [transaction.sender, numberToHex(number)];
  const [nonce, balance] = (
    await execution.askAll([
      { method: 'eth_getTransactionCount', params: at },
      { method: 'eth_getBalance', params: at },
    ])
  ).map(resultOf) as [Hex, Hex];
  mempool.add(transaction, { nonce: Number(nonce), balanceWei: BigInt(balance) }, { seconds: timestamp, kind });
  return transaction.hash;
}
