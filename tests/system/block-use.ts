import type { Address, Hex } from 'viem';
import type { ProductClient } from '../support/product-client.ts';

/** Gas of some senders' transactions in one block, and the limit of a block. */
export interface BlockUse {
  /** The block's timestamp. */
  readonly seconds: number;
  readonly gas: number;
  readonly limit: number;
}

/** Gas that some wallets used of each block. @param last block that is read */
export async function blockUse(
  { chain, control }: ProductClient,
  wallets: readonly Address[],
  { first, last }: { readonly first: bigint; readonly last: bigint },
): Promise<readonly BlockUse[]> {
  const ours = new Set(wallets.map((wallet) => wallet.toLowerCase()));
  const blocks: BlockUse[] = [];
  for (let blockNumber = first; blockNumber <= last; blockNumber++) {
    const { timestamp, gasLimit, transactions } = await chain.getBlock({ blockNumber });
    const number = `0x${blockNumber.toString(16)}`;
    const receipts =
      transactions.length === 0
        ? []
        : await control.request<{ from: Address; gasUsed: Hex }[]>('eth_getBlockReceipts', number);
    const used = receipts.filter(({ from }) => ours.has(from.toLowerCase()));
    const gas = used.reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0);
    blocks.push({ seconds: Number(timestamp), gas, limit: Number(gasLimit) });
  }
  return blocks;
}

const MINUTE_SECONDS = 60;

/** The largest share of the gas of any minute, with one small block a second (hyperevm § 1.3). */
export function largestShareOfMinute(blocks: readonly BlockUse[]): number {
  const minuteGas = Math.min(...blocks.map(({ limit }) => limit)) * MINUTE_SECONDS;
  let largest = 0;
  let from = 0;
  let gas = 0;
  for (const block of blocks) {
    gas += block.gas;
    for (let oldest = blocks[from]; oldest && block.seconds - oldest.seconds >= MINUTE_SECONDS; oldest = blocks[from]) {
      gas -= oldest.gas;
      from += 1;
    }
    largest = Math.max(largest, gas / minuteGas);
  }
  return largest;
}
