import type { Hash } from 'viem';
import { expect, it } from 'vitest';
import type { ChainClient } from '../client.ts';
import { answeredBlockTimes } from './host-headers.ts';
import { Hosts } from './hosts.ts';

const BLOCK: Hash = `0x${'01'.repeat(32)}`;
const OTHER: Hash = `0x${'02'.repeat(32)}`;

/** Hosts that show these blocks at each height; null: none yet. */
function hostsThat(shown: readonly (Hash | null)[]): Hosts {
  const requestOf = (one: Hash | null | undefined) => async () => one && { hash: one, timestamp: '0x7' };
  const all = shown.map((one, index) => ({ origin: `host-${index}`, request: requestOf(one) }));
  const transport = { hostCount: all.length, hosts: () => all };
  return new Hosts({ transport, request: requestOf(shown[0]) } as unknown as ChainClient, false);
}

it('leaves out the time of another block', async () => {
  expect(await answeredBlockTimes(hostsThat([BLOCK, OTHER, null]), 7, BLOCK)).toEqual([7000]);
});
