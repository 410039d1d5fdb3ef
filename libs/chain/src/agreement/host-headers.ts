import { type Hash, toHex } from 'viem';
import type { ChainClient } from '../client.ts';
import type { Hosts } from './hosts.ts';

/** Hosts on another branch show other blocks, so only those in use are asked. Soon after that time the next block confirms it anyway. */
const IN_TIME = { onlyInUse: true, withinMs: 300 };

/**
 * Returns each host's time of a block, ms: one request to each host. Skips hosts that do not answer in time, or have another block
 * there. A lone host is not asked: it showed the block.
 * @param hash of the block; absent accepts any block
 */
export async function answeredBlockTimes(hosts: Hosts, height: number, hash?: Hash): Promise<number[]> {
  if (hosts.count < 2) return [];
  const headers = await hosts.answers(headerAt(height), IN_TIME);
  const known = headers.filter((header) => hash === undefined || header.hash === hash);
  return known.map(({ timestamp }) => Number(timestamp) * 1000);
}

/** Reads a host's header at a height. A host without it has not answered: it may lag. */
function headerAt(height: number) {
  return async ({ request }: ChainClient) => {
    const header = await request({ method: 'eth_getBlockByNumber', params: [toHex(height), false] });
    if (!header) throw new Error(`no block ${height} yet`);
    return header;
  };
}
