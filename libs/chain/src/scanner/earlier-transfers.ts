import { isDust } from '@maker/rules';
import type { Address } from 'viem';
import type { RpcRequest } from './rpc-request.ts';
import { type ProofOptions, proveTransfers } from './signed-transfer.ts';
import { keepSuccessful } from './successful-transfers.ts';
import { transferIn } from './transfer-in.ts';
import type { EarlierTransfer, ReadSearchedBlock } from './transfer-search.ts';
import { pointerOf, readBlock, type WireBlock } from './wire-block.ts';

/**
 * Plain transfers of a block, for a {@link TransferSearch}. Dust is left out: its sender is not asked for.
 * @param proof how senders are proven; a transfer that no host proves is left out on the last try
 */
export function earlierTransfers(request: RpcRequest, proof: ProofOptions = {}): ReadSearchedBlock {
  return async (number) => {
    const block = await readBlock(request, number);
    if (!block) return undefined;
    const recipients = new Set(payments(block).map(({ to }) => to));
    // The block is read once more where it pays: remembering all of its calldata would take too much memory.
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
      // A host that could prove it may be silent now.
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
