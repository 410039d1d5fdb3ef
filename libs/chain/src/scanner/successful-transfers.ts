import type { Hash } from 'viem';
import type { RpcRequest } from './rpc-request.ts';
import type { Transfer } from './scan-events.ts';

interface WireReceipt {
  readonly status: string;
  readonly blockHash: Hash;
}

/**
 * Keeps the transfers whose receipt says that they succeeded. Of a system transaction there may be none, where another endpoint
 * than the one that showed it leaves them out: such money is left to the look at the balance.
 * @param blockHash the block that they were found in
 * @returns undefined where the node does not show a receipt in that block: it lags, or the block is being replaced
 */
export async function keepSuccessful(
  request: RpcRequest,
  transfers: readonly Transfer[],
  blockHash: Hash,
): Promise<Transfer[] | undefined> {
  const receipts = await Promise.all(
    transfers.map(async ({ transactionHash }) => {
      const receipt = await request({ method: 'eth_getTransactionReceipt', params: [transactionHash] });
      return receipt as WireReceipt | null;
    }),
  );
  const isUnseen = (index: number) => receipts[index]?.blockHash !== blockHash;
  if (transfers.some(({ from }, index) => from !== null && isUnseen(index))) return undefined;
  return transfers.filter((_, index) => !isUnseen(index) && receipts[index]?.status === '0x1');
}
