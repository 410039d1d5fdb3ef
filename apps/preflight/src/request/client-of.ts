import { type ChainClient, type Network, viemChain } from '@maker/chain';
import { createPublicClient, custom } from 'viem';
import { type Ask, resultOf } from './answer.ts';

/** A client of one endpoint as the services have one, but for their care of limits and faults. */
export function clientOf(network: Network, ask: Ask, endpoint: number): ChainClient {
  const request = async ({ method, params = [] }: { method: string; params?: readonly unknown[] }) =>
    resultOf(await ask(endpoint, method, params));
  return createPublicClient({ chain: viemChain(network), transport: custom({ request }, { retryCount: 0 }) });
}
