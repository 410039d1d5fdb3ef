import type { RpcRequest } from './rpc-request.ts';
import type { BlockPointer } from './scan-events.ts';
import { pointerOf, readBlock } from './wire-block.ts';

/** Remembered blocks up to the cursor: the depth of the deepest reorganisation whose common ancestor is found exactly. */
export const REMEMBERED_BLOCKS = 64;

/** The newest scanned blocks, oldest first: each is the parent of the next. */
export class KnownChain {
  private blocks: BlockPointer[];

  constructor(blocks: readonly BlockPointer[]) {
    this.blocks = blocks.slice(-REMEMBERED_BLOCKS);
  }

  get tip(): BlockPointer | undefined {
    return this.blocks.at(-1);
  }

  extend(block: BlockPointer): void {
    this.blocks.push(block);
    if (this.blocks.length > REMEMBERED_BLOCKS) this.blocks.shift();
  }

  /** Forgets all blocks: the next block is accepted without a check of its parent. */
  forget(): void {
    this.blocks = [];
  }

  /**
   * Goes back to the newest remembered block that the node still has, and drops those above it. If the node has none of
   * them, it takes the block below the oldest one and drops all others.
   * @returns the common ancestor, now the tip
   */
  async rewind(request: RpcRequest): Promise<BlockPointer> {
    let oldest: BlockPointer | undefined;
    for (let block = this.blocks.pop(); block; block = this.blocks.pop()) {
      if ((await readPointer(request, block.number))?.hash === block.hash) {
        this.blocks.push(block);
        return block;
      }
      oldest = block;
    }
    const ancestor = await readPointer(request, Math.max((oldest?.number ?? 1) - 1, 0));
    if (!ancestor) throw new AncestorNotFoundError(oldest?.number ?? 0);
    this.blocks.push(ancestor);
    return ancestor;
  }
}

/** The node has neither the remembered blocks nor the one below them: it lags far behind, or serves another chain. */
export class AncestorNotFoundError extends Error {
  readonly code = 'ANCESTOR_NOT_FOUND';

  constructor(blockNumber: number) {
    super(`the node has no block below ${blockNumber}: check that it is synchronised and of the right chain`);
    this.name = 'AncestorNotFoundError';
  }
}

/** Reads a block's number, hash and time, without its transactions; null where the node does not have it. */
export async function readPointer(request: RpcRequest, number: number): Promise<BlockPointer | null> {
  const block = await readBlock(request, number, false);
  return block && pointerOf(block);
}
