import { describe, expect, it } from 'vitest';
import type { ChainClient } from '../client.ts';
import { networkOf, viemChain } from '../networks.ts';
import { HostAgreement, UnconfirmedError } from './host-agreement.ts';

type HostAnswer = number | 'down';

/** Creates hosts with these answers to `eth_blockNumber`; the first also answers for the client. */
function hostsThat(answers: readonly HostAnswer[], { trustsSingle = false, configured = answers.length } = {}) {
  const asked: number[] = [];
  const request = (index: number) => async () => {
    asked.push(index);
    const answer = answers[index];
    if (answer === undefined || answer === 'down') throw new Error('no answer');
    return answer;
  };
  const all = answers.map((_, index) => ({ origin: `host-${index}`, request: request(index) }));
  const transport = { hostCount: configured, witnesses: () => all };
  const client = { chain: viemChain(networkOf(31_337)), transport, request: request(0) } as unknown as ChainClient;
  const ask = async ({ request: send }: ChainClient) =>
    Number(await send({ method: 'eth_blockNumber' } as never)) as number | undefined;
  return { hosts: new HostAgreement(client, trustsSingle), ask, asked };
}

const EXPECTED = 100n;
const nearest = ({ hosts, ask }: ReturnType<typeof hostsThat>) => hosts.nearest(EXPECTED, ask, BigInt);

describe('the answer of several hosts (docs/adr/0116)', () => {
  it('is one answer where it is as expected', async () => {
    const hosts = hostsThat([100, 7]);
    expect(await nearest(hosts)).toBe(100);
    expect(hosts.asked).toEqual([0]);
  });

  it.each([
    ['another host gives the expected value', [7, 100], 100],
    ['two hosts give more', [103, 102], 102],
    ['two hosts give less', [7, 90], 90],
    ['two of three give less', [90, 100, 91], 91],
    ['one of three gives less', [90, 100, 100], 100],
  ] as const)('is believed where %s', async (_, answers, believed) => {
    expect(await nearest(hostsThat(answers))).toBe(believed);
  });

  it.each([
    ['one gives more and one less', [103, 90]],
    ['the other one is down', [90, 'down']],
  ] as const)('is unknown where %s', async (_, answers) => {
    await expect(nearest(hostsThat(answers))).rejects.toThrow(UnconfirmedError);
  });

  it('is the only answer where one host is trusted', async () => {
    expect(await nearest(hostsThat([90, 'down'], { trustsSingle: true }))).toBe(90);
    await expect(nearest(hostsThat([90, 103], { trustsSingle: true }))).rejects.toThrow('2 hosts answer differently');
    const alone = hostsThat([90], { trustsSingle: true });
    expect([await nearest(alone), alone.asked]).toEqual([90, [0]]);
  });

  it('is the expected value where hosts confirm nothing', async () => {
    const { hosts, ask } = hostsThat([90, 'down']);
    expect(await hosts.nearest(EXPECTED, ask, BigInt, 100)).toBe(100);
    const differing = hostsThat([90, 103]);
    expect(await differing.hosts.nearest(EXPECTED, differing.ask, BigInt, 100)).toBe(100);
  });

  it('is agreed where a majority answers alike', async () => {
    const agreed = ({ hosts, ask }: ReturnType<typeof hostsThat>) => hosts.agreed(ask);
    expect(await agreed(hostsThat([7, 8, 8]))).toEqual([8, 8]);
    await expect(agreed(hostsThat([7, 8]))).rejects.toThrow('2 hosts answer differently');
    await expect(agreed(hostsThat([7, 'down']))).rejects.toThrow('1 hosts answered, two are needed');
  });
});
