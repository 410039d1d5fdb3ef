import type { Hash } from 'viem';
import { toHex } from 'viem';
import { type ChainClient, hostsOf } from '../client.ts';
import type { WireHeader } from '../endpoints/endpoint-checks.ts';

/**
 * Returns each host's time of a block, ms: one request to each host. Skips hosts that do not answer, or have another block there.
 * @param hash of the block; absent accepts any block
 */
export async function answeredBlockTimes(
  client: ChainClient,
  height: number | 'latest',
  hash?: Hash,
): Promise<number[]> {
  const block = height === 'latest' ? height : toHex(height);
  const answers = await Promise.all(
    hostsOf(client).map(async ({ request }) => {
      try {
        const header = (await request({ method: 'eth_getBlockByNumber', params: [block, false] })) as WireHeader | null;
        return header && (hash === undefined || header.hash === hash) ? [Number(header.timestamp) * 1000] : [];
      } catch {
        // The endpoint records the failure.
        return [];
      }
    }),
  );
  return answers.flat();
}
