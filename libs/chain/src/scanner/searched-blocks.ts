import { isDust } from '@maker/rules';
import { type Address, toHex } from 'viem';
import { meaningOf } from '../error-meaning.ts';
import { readPointer } from './known-chain.ts';
import type { RpcRequest } from './rpc-request.ts';
import { type ProofOptions, proveTransfers } from './signed-transfer.ts';
import { keepSuccessful } from './successful-transfers.ts';
import { transferIn } from './transfer-in.ts';
import type { EarlierTransfer, ReadSearchedBlock } from './transfer-search.ts';
import { pointerOf, readBlock, type WireBlock, type WireTransaction } from './wire-block.ts';

/**
 * Reads a block's plain transfers, for a {@link TransferSearch}. Leaves out dust: its sender is not needed.
 * @param proof settings for the proof of senders; the last try leaves out a transfer that no host proves
 */
export function earlierTransfers(request: RpcRequest, proof: ProofOptions = {}): ReadSearchedBlock {
  return async (number) => {
    const block = await readBlock(request, number);
    if (!block) return undefined;
    const recipients = new Set(payments(block).map(({ to }) => to));
    // A block with a payment is read again: keeping all of its calldata would take too much memory.
    const transfersTo = async (
      address: Address,
      isLastTry: boolean,
    ): Promise<readonly EarlierTransfer[] | undefined> => {
      const there = await readBlock(request, number);
      if (there?.hash !== block.hash) return undefined;
      const candidates = payments(there).filter(({ to }) => to === address);
      const transfers = await keepSuccessful(request, candidates, there);
      if (!transfers) return undefined;
      const { proven, unproven } = await proveTransfers(transfers, there, proof);
      // A host that could prove it may not answer at the moment.
      if (unproven.length > 0 && !isLastTry) return undefined;
      return proven.map((transfer) => ({ ...transfer, block: pointerOf(there) }));
    };
    return { timestampMs: pointerOf(block).timestampMs, recipients, transfersTo };
  };
}

function payments(block: WireBlock) {
  return block.transactions
    .flatMap((transaction) => transferIn(transaction) ?? [])
    .filter(({ amountWei }) => !isDust(amountWei));
}

/**
 * Reads a block's system transactions, for a {@link TransferSearch}, by `eth_getSystemTxsByBlockNumber`. They show HYPE from HyperCore
 * where nodes leave them out of the blocks. Source: hyperevm § 1.1.
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
    const call = { method: 'eth_getSystemTxsByBlockNumber', params: [toHex(number)] } as const;
    return ((await request(call)) as readonly WireTransaction[] | null) ?? undefined;
  } catch (error) {
    const meaning = meaningOf(error);
    if (meaning === 'not_there') return undefined;
    if (meaning === 'unsupported' || meaning === 'refused') return 'end';
    throw error;
  }
}
