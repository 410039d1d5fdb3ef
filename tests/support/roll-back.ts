import { numberToHex } from 'viem';
import type { ProductClient } from './product-client.ts';

/** Takes the chain back to below a block; another branch grows from there by itself. */
export async function rollBackBelow({ chain, control }: ProductClient, block: bigint): Promise<void> {
  const hashThere = async () =>
    (await chain.request({ method: 'eth_getBlockByNumber', params: [numberToHex(block), false] }))?.hash;
  const left = await hashThere();
  // One that is made while this is asked is taken back in place of the lowest.
  while ((await hashThere()) === left) {
    const depth = Number((await chain.getBlockNumber()) - block) + 1;
    await control.request('anvil_rollback', depth);
  }
}
