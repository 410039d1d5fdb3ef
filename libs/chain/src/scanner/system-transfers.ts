import { type Address, toHex } from 'viem';
import { meaningOf } from '../error-meaning.ts';
import { readPointer } from './known-chain.ts';
import type { RpcRequest } from './rpc-request.ts';
import { transferIn } from './transfer-in.ts';
import type { EarlierTransfer, ReadSearchedBlock } from './transfer-search.ts';
import type { WireTransaction } from './wire-block.ts';

/**
 * System transactions of a block, for a {@link TransferSearch}, by `eth_getSystemTxsByBlockNumber`: how HYPE came from HyperCore where
 * nodes leave these out of the blocks. Source: hyperevm § 1.1.
 */
export function systemTransfers(request: RpcRequest): ReadSearchedBlock {
  return async (number) => {
    const transactions = await systemTransactions(request, number);
    if (!transactions || transactions === 'end') return transactions;
    const transfers = transactions.flatMap((transaction) => transferIn(transaction) ?? []);
    const transfersTo = async (address: Address): Promise<readonly EarlierTransfer[] | undefined> => {
      const block = await readPointer(request, number);
      if (!block) return undefined;
      return transfers.filter(({ to }) => to === address).map((transfer) => ({ ...transfer, from: null, block }));
    };
    return { recipients: new Set(transfers.map(({ to }) => to)), transfersTo };
  };
}

/** @returns 'end' where the node does not know the method, undefined where it does not know the block yet */
async function systemTransactions(
  request: RpcRequest,
  number: number,
): Promise<readonly WireTransaction[] | 'end' | undefined> {
  try {
    const call = { method: 'eth_getSystemTxsByBlockNumber', params: [toHex(number)] };
    return ((await request(call)) as readonly WireTransaction[] | null) ?? undefined;
  } catch (error) {
    const meaning = meaningOf(error);
    if (meaning === 'not_there') return undefined;
    if (meaning === 'unsupported' || meaning === 'refused') return 'end';
    throw error;
  }
}
