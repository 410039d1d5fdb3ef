import { numberToHex } from 'viem';
import type { ProductClient } from './product-client.ts';

/** Rolls the chain back to below a block; it then grows on another branch. */
export async function rollBackBelow({ chain, control }: ProductClient, block: bigint): Promise<void> {
  const hashThere = async () =>
    (await chain.request({ method: 'eth_getBlockByNumber', params: [numberToHex(block), false] }))?.hash;
  const left = await hashThere();
  // A block that is mined during the request is removed instead of the lowest one.
  while ((await hashThere()) === left) {
    const depth = Number((await chain.getBlockNumber()) - block) + 1;
    await control.request('anvil_rollback', depth);
  }
}
