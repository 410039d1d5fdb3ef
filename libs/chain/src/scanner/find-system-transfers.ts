import type { Address } from 'viem';
import { toHex } from 'viem';
import { meaningOf } from '../error-meaning.ts';
import type { EarlierTransfer } from './find-earlier-transfers.ts';
import { readPointer } from './known-chain.ts';
import type { RpcRequest } from './rpc-request.ts';
import { transferIn } from './transfer-in.ts';
import type { WireTransaction } from './wire-block.ts';

const BLOCKS_AT_ONCE = 8;

/** What to look for: both ends of the range included. */
export interface SystemTransfersQuery {
  /** In lower case, with what each is to be found, wei. */
  readonly wanted: ReadonlyMap<Address, bigint>;
  readonly fromBlock: number;
  readonly toBlock: number;
}

/**
 * Walks back through the system transactions of blocks, by `eth_getSystemTxsByBlockNumber`, to find how HYPE came from HyperCore
 * where nodes leave these out of the blocks. One request for each block, until all that is wanted is found. Source: hyperevm § 1.1.
 * @returns newest first; possibly less than is wanted: money came in another way, or the node does not tell
 */
export async function findSystemTransfers(
  request: RpcRequest,
  query: SystemTransfersQuery,
): Promise<EarlierTransfer[]> {
  const { fromBlock, toBlock } = query;
  const missingWei = new Map(query.wanted);
  const found: EarlierTransfer[] = [];
  for (let newest = toBlock; newest >= fromBlock && missingWei.size > 0; newest -= BLOCKS_AT_ONCE) {
    const numbers = Array.from(
      { length: Math.min(BLOCKS_AT_ONCE, newest - fromBlock + 1) },
      (_, index) => newest - index,
    );
    const blocks = await Promise.all(numbers.map((number) => systemTransactions(request, number)));
    for (const [index, number] of numbers.entries()) {
      const transactions = blocks[index];
      if (!transactions) return found;
      const transfers = transactions.flatMap((transaction) => transferIn(transaction) ?? []);
      const wanted = transfers.filter(({ to, amountWei }) => amountWei <= (missingWei.get(to) ?? 0n));
      const block = wanted.length > 0 ? await readPointer(request, number) : null;
      if (!block) continue;
      for (const transfer of wanted) {
        const restWei = (missingWei.get(transfer.to) ?? 0n) - transfer.amountWei;
        if (restWei < 0n) continue;
        found.push({ ...transfer, from: null, block });
        if (restWei === 0n) missingWei.delete(transfer.to);
        else missingWei.set(transfer.to, restWei);
      }
    }
  }
  return found;
}

/** @returns undefined where the node does not know the method, or no longer the block */
async function systemTransactions(
  request: RpcRequest,
  number: number,
): Promise<readonly WireTransaction[] | undefined> {
  try {
    const call = { method: 'eth_getSystemTxsByBlockNumber', params: [toHex(number)] };
    return ((await request(call)) as readonly WireTransaction[] | null) ?? [];
  } catch (error) {
    if (['unsupported', 'refused', 'not_there'].includes(meaningOf(error))) return undefined;
    throw error;
  }
}
