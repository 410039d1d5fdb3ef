import type { Hash } from 'viem';
import { toHex } from 'viem';
import { type ChainClient, hostsOf } from '../client.ts';
import type { WireHeader } from '../endpoints/endpoint-checks.ts';

/**
 * What each host says of a block's time, ms: one request to each. Hosts that do not answer, or have another block there, say nothing.
 * @param hash of the block; any where absent
 */
export async function answeredBlockTimes(
  client: ChainClient,
  height: number | 'latest',
  hash?: Hash,
): Promise<number[]> {
  const block = height === 'latest' ? height : toHex(height);
  const told = await Promise.all(
    hostsOf(client).map(async ({ request }) => {
      try {
        const header = (await request({ method: 'eth_getBlockByNumber', params: [block, false] })) as WireHeader | null;
        return header && (hash === undefined || header.hash === hash) ? [Number(header.timestamp) * 1000] : [];
      } catch {
        // A host that fails is noted by its endpoint.
        return [];
      }
    }),
  );
  return told.flat();
}
