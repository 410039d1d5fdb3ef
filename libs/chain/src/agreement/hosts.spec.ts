import { describe, expect, it } from 'vitest';
import type { ChainClient } from '../client.ts';
import { networkOf, viemChain } from '../networks.ts';
import { agreedAnswers, quorum } from '../quorum.ts';
import { Hosts } from './hosts.ts';

type HostAnswer = number | 'down' | 'silent';

/** Creates hosts with these answers to `eth_blockNumber`; the first also answers for the client. The last one is on another branch. */
function hostsThat(answers: readonly HostAnswer[], { trustsSingle = false, configured = answers.length } = {}) {
  const request = (index: number) => async () => {
    const answer = answers[index];
    if (answer === undefined || answer === 'down') throw new Error('no answer');
    return answer === 'silent' ? new Promise(() => undefined) : answer;
  };
  const all = answers.map((_, index) => ({ origin: `host-${index}`, request: request(index) }));
  const transport = { hostCount: configured, witnesses: () => all, hosts: () => all.slice(0, -1) };
  const client = { chain: viemChain(networkOf(31_337)), transport, request: request(0) } as unknown as ChainClient;
  return new Hosts(client, trustsSingle);
}

const ask = async ({ request }: ChainClient) => Number(await request({ method: 'eth_blockNumber' } as never));

describe('several hosts', () => {
  it('answer for themselves, also on another branch', async () => {
    expect(await hostsThat([7, 'down', 8]).answers(ask)).toEqual([7, 8]);
    expect(await hostsThat([7, 6, 8]).answers(ask, { onlyInUse: true })).toEqual([7, 6]);
  });

  it('are silent after their time', async () => {
    expect(await hostsThat([7, 'silent', 8]).answers(ask, { withinMs: 10 })).toEqual([7, 8]);
  });

  it('are one where it is alone and trusted', async () => {
    const alone = hostsThat([7], { trustsSingle: true });
    expect([alone.isAlone, await alone.answers(ask)]).toEqual([true, [7]]);
    expect(hostsThat([7]).isAlone).toBe(false);
  });

  it('decide where a majority answers alike', async () => {
    const agreed = async (hosts: Hosts) => agreedAnswers(await quorum(hosts.question(ask)));
    expect(await agreed(hostsThat([7, 8, 8]))).toEqual([8, 8]);
    await expect(agreed(hostsThat([7, 8]))).rejects.toThrow('2 hosts answer differently');
    await expect(agreed(hostsThat([7, 'down']))).rejects.toThrow('1 hosts answered, two are needed');
  });
});
