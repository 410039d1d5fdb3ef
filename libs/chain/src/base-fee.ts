import type { Block } from 'viem';
import type { ChainClient } from './client.ts';

/** Gas of a big block. Small ones have a tenth of it or less. Source: hyperevm §§ 1, 1.3. */
export const BIG_BLOCK_GAS = 30_000_000n;

/** Blocks for which a small block's base fee holds. A big block comes once a minute: many in a row mean a chain of big blocks only. */
const HOLDS_BLOCKS = 60n;

/** The fields of a header that {@link SmallBlockFee} reads. */
export type FeeHeader = Pick<Block, 'number' | 'parentHash' | 'gasLimit' | 'baseFeePerGas'>;

/**
 * The base fee of small blocks, which hold our transactions. Small and big blocks are two fee markets in one sequence of headers.
 * The header of a big block says nothing about the small blocks after it. On a chain with one kind of block only, each header has its
 * own base fee. Source: hyperevm § 1.2.
 */
export class SmallBlockFee {
  private readonly client: ChainClient;
  private last: { readonly number: bigint; readonly wei: bigint } | undefined;
  private hasReadParent = false;

  constructor(client: ChainClient) {
    this.client = client;
  }

  /** Whether a block is a big one on a chain that also has small ones. Call {@link after} first. */
  isBig({ gasLimit }: Pick<FeeHeader, 'gasLimit'>): boolean {
    return gasLimit >= BIG_BLOCK_GAS && this.last !== undefined;
  }

  /** Returns the base fee after a block, wei per gas. If the first block is a big one, it costs one more request, once. */
  async after(block: FeeHeader): Promise<bigint> {
    const number = block.number ?? 0n;
    const own = block.baseFeePerGas ?? 0n;
    if (block.gasLimit < BIG_BLOCK_GAS) this.last = { number, wei: own };
    else if (!this.hasReadParent && !this.last && number > 0n) {
      const before = await this.client.getBlock({ blockHash: block.parentHash });
      this.hasReadParent = true;
      if (before.gasLimit < BIG_BLOCK_GAS) this.last = { number: before.number, wei: before.baseFeePerGas ?? 0n };
    }
    return this.last && number - this.last.number <= HOLDS_BLOCKS ? this.last.wei : own;
  }
}
