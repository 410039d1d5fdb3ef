import type { Block } from 'viem';
import type { ChainClient } from './client.ts';

/** Gas of a big block. Small ones have a tenth of it or less. Source: hyperevm §§ 1, 1.3. */
export const BIG_BLOCK_GAS = 30_000_000n;

/** Blocks for which a small block's base fee holds: there is a big one a minute, so that a chain of big ones alone is another chain. */
const HOLDS_BLOCKS = 60n;

/** What of a header tells its base fee. */
export type FeeHeader = Pick<Block, 'number' | 'parentHash' | 'gasLimit' | 'baseFeePerGas'>;

/**
 * The base fee of the blocks that our transactions are for. Small and big blocks are two markets of fees in one sequence of
 * headers: a big one's says nothing of the small ones after it. On a chain that has one kind of block only, whatever its size, each
 * header tells its own. Source: hyperevm § 1.2.
 */
export class SmallBlockFee {
  private readonly client: ChainClient;
  private last: { readonly number: bigint; readonly wei: bigint } | undefined;
  private lookedBack = false;

  constructor(client: ChainClient) {
    this.client = client;
  }

  /** Whether a block is of the other kind: a big one, on a chain that has small ones. Asked after {@link after}. */
  isBig({ gasLimit }: Pick<FeeHeader, 'gasLimit'>): boolean {
    return gasLimit >= BIG_BLOCK_GAS && this.last !== undefined;
  }

  /** Wei per gas that hold after a block. One more request, once, where the first block asked about is a big one. */
  async after(block: FeeHeader): Promise<bigint> {
    const number = block.number ?? 0n;
    const own = block.baseFeePerGas ?? 0n;
    if (block.gasLimit < BIG_BLOCK_GAS) this.last = { number, wei: own };
    else if (!this.lookedBack && !this.last && number > 0n) {
      const before = await this.client.getBlock({ blockHash: block.parentHash });
      this.lookedBack = true;
      if (before.gasLimit < BIG_BLOCK_GAS) this.last = { number: before.number, wei: before.baseFeePerGas ?? 0n };
    }
    return this.last && number - this.last.number <= HOLDS_BLOCKS ? this.last.wei : own;
  }
}
