import { ascending } from '@maker/rules';
import type { Block } from 'viem';
import type { ChainClient } from './client.ts';
import { ChainUnavailableError } from './errors.ts';
import type { SmallBlock } from './latest-block.ts';

/** Part of its gas from which on a block counts as full, so that somebody may have found no room. */
const FULL_SHARE = 0.9;

/** Small blocks of which half must be full before tips are asked for. */
const BLOCKS_LOOKED_AT = 6;

/** Blocks whose tips are asked for at once. */
const HISTORY_BLOCKS = 12;

/** Blocks for which tips are used: a new block changes one of the twelve that they are of. */
const REUSED_BLOCKS = 3;

/** Base fee of a chain whose blocks have had room for long. Source: hyperevm § 1.3. */
const FLOOR_WEI = 100_000_000n;

/** Tip of those who were let in that is met, weighted by gas. */
const PERCENTILE = 50;

/**
 * The tip that is worth offering now. Whether tips decide who comes into a block on HyperEVM is unsettled (hyperevm § 1.3), so
 * it is asked of the blocks: while they have room it is nothing; when they are full it is what the middle one of those who
 * were let in pays, and an eighth more. Full blocks that let in who pays nothing show that tips do not matter.
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
   * Wei per gas to offer for the blocks after this one. One request in three blocks, and only while blocks are full.
   * @param isBig the block is of the other kind, whose tips say nothing of ours
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
    this.recent = this.recent.slice(-BLOCKS_LOOKED_AT);
    for (const old of this.bigBlocks) if (old < height - HISTORY_BLOCKS) this.bigBlocks.delete(old);
    const full = this.recent.filter(({ isFull }) => isFull).length;
    return full * 2 >= BLOCKS_LOOKED_AT ? this.usualTip(height) : 0n;
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
 * The tip that is worth offering after a small block, for who has followed none before it: as {@link SmallBlockTip} has it, but for the
 * one of twelve blocks that may be a big one. One request, and none on a quiet day. Wei per gas.
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
  const full = tips.filter(({ index }) => index >= blocks - BLOCKS_LOOKED_AT).length;
  return full * 2 >= BLOCKS_LOOKED_AT ? worthOffering(tips) : 0n;
}

/** What the middle one paid on top in each full block up to one. */
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

/** An eighth more than the middle one. */
function worthOffering(tips: readonly { readonly wei: bigint }[]): bigint {
  const sorted = tips.map(({ wei }) => wei).sort(ascending);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0n;
  return middle + (middle + 7n) / 8n;
}
