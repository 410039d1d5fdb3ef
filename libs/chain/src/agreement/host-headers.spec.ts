import type { Hash } from 'viem';
import { describe, expect, it } from 'vitest';
import type { ChainClient } from '../client.ts';
import { agreeOnBlock, answeredBlockTimes } from './host-headers.ts';
import { Hosts } from './hosts.ts';

const BLOCK: Hash = `0x${'01'.repeat(32)}`;
const OTHER: Hash = `0x${'02'.repeat(32)}`;

type Shown = Hash | null | 'down' | 'silent';

/** Hosts that show these blocks at each height. */
function hostsThat(shown: readonly Shown[], trustsSingle = false) {
  let asked = 0;
  const requestOf = (one: Shown | undefined) => async () => {
    asked += 1;
    if (one === 'down') throw new Error('no answer');
    return one === 'silent' ? new Promise(() => undefined) : one && { hash: one, timestamp: '0x7' };
  };
  const all = shown.map((one, index) => ({ origin: `host-${index}`, request: requestOf(one) }));
  const transport = { hostCount: all.length, hosts: () => all };
  const client = { transport, request: requestOf(shown[0]) } as unknown as ChainClient;
  return { hosts: new Hosts(client, trustsSingle), asked: () => asked };
}

describe('a credit without confirmations (docs/adr/0036)', () => {
  const agree = (...of: Parameters<typeof hostsThat>) => agreeOnBlock(hostsThat(...of).hosts, 7, BLOCK);

  it.each<[readonly Shown[], boolean]>([
    [[BLOCK, BLOCK], true],
    [[BLOCK, BLOCK, 'silent'], true],
    [[BLOCK, BLOCK, null], true],
    [[BLOCK, BLOCK, OTHER], false],
    [[BLOCK, OTHER], false],
    [[OTHER, OTHER], false],
    [[BLOCK, null], false],
    [[BLOCK, 'down'], false],
    [[BLOCK], false],
  ])('with hosts that show %j is %s', async (shown, isEarly) => {
    expect(await agree(shown)).toBe(isEarly);
  });

  it('needs a second host also where one is trusted', async () => {
    expect(await agree([BLOCK, 'down'], true)).toBe(false);
    const alone = hostsThat([BLOCK], true);
    expect([await agreeOnBlock(alone.hosts, 7, BLOCK), alone.asked()]).toEqual([false, 0]);
  });
});

it('leaves out the time of another block', async () => {
  expect(await answeredBlockTimes(hostsThat([BLOCK, OTHER, null]).hosts, 7, BLOCK)).toEqual([7000]);
});
