import type { Address } from 'viem';
import type { RpcRequest } from './rpc-request.ts';
import type { BlockPointer, Transfer } from './scan-events.ts';
import { keepSuccessful } from './successful-transfers.ts';
import { transferIn } from './transfer-in.ts';
import { pointerOf, readBlock, type WireBlock } from './wire-block.ts';

const BLOCKS_AT_ONCE = 8;

/** What to look for. */
export interface EarlierTransfersQuery {
  /** In lower case. */
  readonly address: Address;
  /** The newest block to look at. */
  readonly toBlock: number;
  /** Blocks before this time are not looked at, ms. */
  readonly notBeforeMs: number;
  /** Most blocks to look at. */
  readonly mostBlocks: number;
  /** The search ends when transfers of this sum are found, wei. */
  readonly amountWei: bigint;
}

/** A transfer and the block that holds it. */
export interface EarlierTransfer extends Transfer {
  readonly block: BlockPointer;
}

/**
 * Walks back from a block to find who paid an address before it was watched.
 * @returns the successful transfers, newest first; possibly less than the sum, where money came in another way
 */
export async function findEarlierTransfers(
  request: RpcRequest,
  query: EarlierTransfersQuery,
): Promise<EarlierTransfer[]> {
  const found: EarlierTransfer[] = [];
  const oldest = Math.max(query.toBlock - query.mostBlocks + 1, 0);
  let missingWei = query.amountWei;
  for (let newest = query.toBlock; newest >= oldest && missingWei > 0n; newest -= BLOCKS_AT_ONCE) {
    const count = Math.min(BLOCKS_AT_ONCE, newest - oldest + 1);
    const blocks = await Promise.all(Array.from({ length: count }, (_, index) => readBlock(request, newest - index)));
    for (const block of blocks) {
      if (!block || pointerOf(block).timestampMs < query.notBeforeMs) return found;
      for (const transfer of await transfersTo(request, query.address, block)) {
        found.push({ ...transfer, block: pointerOf(block) });
        missingWei -= transfer.amountWei;
      }
    }
  }
  return found;
}

async function transfersTo(request: RpcRequest, address: Address, block: WireBlock): Promise<Transfer[]> {
  const candidates = block.transactions.flatMap((transaction) =>
    transaction.to === address ? (transferIn(transaction) ?? []) : [],
  );
  if (candidates.length === 0) return [];
  return (await keepSuccessful(request, candidates, block)) ?? [];
}
