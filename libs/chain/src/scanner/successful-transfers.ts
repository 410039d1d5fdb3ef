import type { Hash, Hex } from 'viem';
import type { RpcRequest } from './rpc-request.ts';
import type { Transfer } from './scan-events.ts';
import type { WireBlock } from './wire-block.ts';

/** The fields that the scanner reads of a receipt's wire form. */
export interface WireReceipt {
  readonly transactionHash: Hash;
  readonly status: string;
  readonly blockHash: Hash;
  readonly blockNumber: Hex;
}

/**
 * Keeps the transfers whose receipt shows success. One request for any number of transfers. A system transaction may have no
 * receipt: another endpoint than the one that showed it may leave such transactions out. The balance check finds that money.
 * @param block the block that they were found in
 * @returns undefined where the node does not show a receipt in that block: it lags, or the block is being replaced
 */
export async function keepSuccessful(
  request: RpcRequest,
  transfers: readonly Transfer[],
  block: Pick<WireBlock, 'number' | 'hash'>,
): Promise<Transfer[] | undefined> {
  if (transfers.length === 0) return [];
  const statuses = await statusesIn(request, transfers, block);
  if (transfers.some(({ from, transactionHash }) => from !== null && !statuses.has(transactionHash))) return undefined;
  return transfers.filter(({ transactionHash }) => statuses.get(transactionHash) === '0x1');
}

/** Separates the transfers whose receipt shows success from those without a receipt after many tries. */
export async function keepShown(
  request: RpcRequest,
  transfers: readonly Transfer[],
  block: Pick<WireBlock, 'number' | 'hash'>,
): Promise<{ readonly transfers: Transfer[]; readonly unshown: Transfer[] }> {
  const statuses = await statusesIn(request, transfers, block);
  return {
    transfers: transfers.filter(({ transactionHash }) => statuses.get(transactionHash) === '0x1'),
    unshown: transfers.filter(({ transactionHash }) => !statuses.has(transactionHash)),
  };
}

/** The statuses of transfers by receipts of a block; '0x1' is success. A transfer without a receipt there is absent. */
async function statusesIn(
  request: RpcRequest,
  transfers: readonly Transfer[],
  block: Pick<WireBlock, 'number' | 'hash'>,
): Promise<ReadonlyMap<Hash, string>> {
  const [first, second] = transfers;
  if (!first) return new Map();
  const receipts = second ? await receiptsOf(request, block) : await receiptOf(request, first);
  return new Map(
    receipts
      ?.filter(({ blockHash }) => blockHash === block.hash)
      .map(({ transactionHash, status }) => [transactionHash, status]),
  );
}

type Receipts = readonly WireReceipt[] | null;

async function receiptOf(request: RpcRequest, { transactionHash }: Transfer): Promise<Receipts> {
  const receipt = await request({ method: 'eth_getTransactionReceipt', params: [transactionHash] });
  return receipt ? [receipt as WireReceipt] : null;
}

async function receiptsOf(request: RpcRequest, { number }: Pick<WireBlock, 'number'>): Promise<Receipts> {
  return (await request({ method: 'eth_getBlockReceipts', params: [number] })) as Receipts;
}
