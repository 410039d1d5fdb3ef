import { type Hex, numberToHex } from 'viem';

/** The facts of one block for the history. */
export interface FeeHistoryBlock {
  number: number;
  baseFeeWei: bigint;
  gasUsed: bigint;
  gasLimit: bigint;
  /** For each transaction, its price above the base fee per unit of gas, and its used gas. */
  tips: readonly { tipWei: bigint; gasUsed: bigint }[];
}

/**
 * The answer of `eth_feeHistory`: fees of consecutive blocks of both kinds. A reader of one market must distinguish them.
 * @param blocks at least one
 * @param nextBaseFeeWei of the next small block
 * @param percentiles of the tips, weighted by gas; without them the answer has no `reward`
 */
export function feeHistory(
  blocks: readonly [FeeHistoryBlock, ...FeeHistoryBlock[]],
  nextBaseFeeWei: bigint,
  percentiles: readonly number[] | undefined,
) {
  return {
    oldestBlock: numberToHex(blocks[0].number),
    baseFeePerGas: [...blocks.map(({ baseFeeWei }) => baseFeeWei), nextBaseFeeWei].map((wei) => numberToHex(wei)),
    gasUsedRatio: blocks.map(({ gasUsed, gasLimit }) => Number(gasUsed) / Number(gasLimit)),
    ...(percentiles ? { reward: blocks.map((block) => rewards(block, percentiles)) } : {}),
  };
}

function rewards({ tips, gasUsed }: FeeHistoryBlock, percentiles: readonly number[]): Hex[] {
  const ascending = tips.toSorted((one, other) => (one.tipWei < other.tipWei ? -1 : 1));
  return percentiles.map((percentile) => {
    const threshold = (Number(gasUsed) * percentile) / 100;
    let gas = 0;
    const found = ascending.find((tip) => {
      gas += Number(tip.gasUsed);
      return gas >= threshold;
    });
    return numberToHex((found ?? ascending.at(-1))?.tipWei ?? 0n);
  });
}
