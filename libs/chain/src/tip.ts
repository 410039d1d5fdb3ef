import { ascending } from '@maker/rules';
import type { Block } from 'viem';
import type { ChainClient } from './client.ts';
import { ChainUnavailableError } from './errors.ts';
import type { SmallBlock } from './latest-block.ts';

/** Share of its gas limit from which a block counts as full: other transactions may have found no room. */
const FULL_SHARE = 0.9;

/** Number of recent small blocks; half of them must be full before the tips are read. */
const BLOCKS_CHECKED = 6;

/** Blocks whose tips one request reads. */
const HISTORY_BLOCKS = 12;

/** Blocks for which a tip is reused: a new block changes one of the twelve behind it. */
const REUSED_BLOCKS = 3;

/** Base fee of a chain whose blocks have had room for a long time. Source: hyperevm § 1.3. */
const FLOOR_WEI = 100_000_000n;

/** Percentile of the included transactions' tips, weighted by gas. */
const PERCENTILE = 50;

/**
 * The tip that is worth offering now. It is unknown whether tips decide which transactions HyperEVM includes (hyperevm § 1.3).
 * The blocks therefore decide: while they have room, the tip is 0. When they are full, it is the median tip of the included
 * transactions plus an eighth. If full blocks include transactions without a tip, tips do not matter.
 */
export class SmallBlockTip {
  private readonly client: ChainClient;
  private readonly bigBlocks = new Set<number>();
  private recent: { readonly number: number; readonly isFull: boolean }[] = [];
  private asked: { readonly number: number; readonly tipWei: bigint } | undefined;

  constructor(client: ChainClient) {
    this.client = client;
  }

  /**
   * Returns the tip for the blocks after this one, wei per gas. One request in three blocks, and only while blocks are full.
   * @param isBig whether it is a big block, whose tips say nothing about small blocks
   */
  async after(
    { number, gasLimit, gasUsed }: Pick<Block, 'number' | 'gasLimit' | 'gasUsed'>,
    isBig: boolean,
  ): Promise<bigint> {
    const height = Number(number ?? 0n);
    if (isBig) this.bigBlocks.add(height);
    else {
      const isFull = Number(gasUsed) >= Number(gasLimit) * FULL_SHARE;
      this.recent = [...this.recent.filter((block) => block.number < height), { number: height, isFull }];
    }
    this.recent = this.recent.slice(-BLOCKS_CHECKED);
    for (const old of this.bigBlocks) if (old < height - HISTORY_BLOCKS) this.bigBlocks.delete(old);
    const full = this.recent.filter(({ isFull }) => isFull).length;
    return full * 2 >= BLOCKS_CHECKED ? this.usualTip(height) : 0n;
  }

  private async usualTip(number: number): Promise<bigint> {
    const { asked } = this;
    if (asked && number >= asked.number && number < asked.number + REUSED_BLOCKS) return asked.tipWei;
    const { oldestBlock, tips } = await fullBlockTips(this.client, BigInt(number));
    const tipWei = worthOffering(tips.filter(({ index }) => !this.bigBlocks.has(Number(oldestBlock) + index)));
    this.asked = { number, tipWei };
    return tipWei;
  }
}

/**
 * Returns the tip that is worth offering after a small block, wei per gas, for a caller that has not followed earlier blocks. It works
 * like {@link SmallBlockTip}, but may count one big block of twelve. One request, and none while the chain is quiet.
 * @throws ChainUnavailableError
 */
export async function tipAfter(
  client: ChainClient,
  { number, baseFeeWei, gasLimit, gasUsed }: Omit<SmallBlock, 'timestampMs'>,
): Promise<bigint> {
  if (baseFeeWei <= FLOOR_WEI && Number(gasUsed) < Number(gasLimit) * FULL_SHARE) return 0n;
  const { blocks, tips } = await fullBlockTips(client, BigInt(number)).catch((error: unknown) => {
    throw new ChainUnavailableError('read what others tip', error);
  });
  const full = tips.filter(({ index }) => index >= blocks - BLOCKS_CHECKED).length;
  return full * 2 >= BLOCKS_CHECKED ? worthOffering(tips) : 0n;
}

/** The median tip of each full block among the last ones, up to a height. */
async function fullBlockTips(client: ChainClient, blockNumber: bigint) {
  const { oldestBlock, gasUsedRatio, reward } = await client.getFeeHistory({
    blockCount: HISTORY_BLOCKS,
    blockNumber,
    rewardPercentiles: [PERCENTILE],
  });
  const tips = (reward ?? []).flatMap(([wei], index) =>
    wei !== undefined && (gasUsedRatio[index] ?? 0) >= FULL_SHARE ? [{ index, wei }] : [],
  );
  return { oldestBlock, blocks: gasUsedRatio.length, tips };
}

/** The median plus an eighth. */
function worthOffering(tips: readonly { readonly wei: bigint }[]): bigint {
  const sorted = tips.map(({ wei }) => wei).sort(ascending);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0n;
  return middle + (middle + 7n) / 8n;
}
