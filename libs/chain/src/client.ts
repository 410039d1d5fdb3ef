import { createPublicClient, type Hex, type PublicClient, type Transport, type Chain as ViemChain } from 'viem';
import type { EndpointHost } from './endpoints/endpoint-pool.ts';
import { type EndpointsExtras, type EndpointsOptions, endpointsTransport } from './endpoints/endpoints-transport.ts';
import { causeOf } from './endpoints/request-outcome.ts';
import { ChainUnavailableError, WrongChainError } from './errors.ts';
import { viemChain } from './networks.ts';

/** A viem client of one network. */
export type ChainClient = PublicClient<Transport, ViemChain>;

/**
 * Creates a client over one or more RPC endpoints. It asks healthy ones in their order (docs/adr/0016). JSON-RPC batching stays
 * off: most rate limits count each call of a batch. Many reads go into one `eth_call` instead ({@link queryAll}).
 */
export function createChainClient(options: EndpointsOptions): ChainClient {
  return createPublicClient({
    chain: viemChain(options.network),
    transport: endpointsTransport(options),
    pollingInterval: options.network.blockTimeMs,
  });
}

/**
 * Verifies that an endpoint serves the expected chain.
 * @throws WrongChainError when all endpoints serve another chain
 * @throws ChainUnavailableError when no endpoint answers
 */
export async function verifyChainId(client: ChainClient, chainId: number): Promise<void> {
  const actual = await client.getChainId().catch((error: unknown) => {
    throw causeOf(error, WrongChainError) ?? new ChainUnavailableError('read the chain id', error);
  });
  if (actual !== chainId) throw new WrongChainError(chainId, actual);
}

/** Number of hosts behind the endpoints of a client. With one host, no second one can confirm its answers. */
export function hostCountOf({ transport }: ChainClient): number {
  return (transport as Partial<EndpointsExtras>).hostCount ?? 1;
}

/** The hosts that a client may ask now, each on its own. */
export function hostsOf({ transport }: ChainClient): readonly EndpointHost[] {
  return (transport as Partial<EndpointsExtras>).hosts?.() ?? [];
}

/** The same, with hosts that show another branch: a lying host must not be able to exclude the others. */
export function witnessesOf({ transport }: ChainClient): readonly EndpointHost[] {
  return (transport as Partial<EndpointsExtras>).witnesses?.() ?? [];
}

/** Sends signed bytes to every host: a single host may withhold them. @throws the first host's error, where all hosts fail */
export async function broadcastToAll(client: ChainClient, serializedTransaction: Hex): Promise<void> {
  const hosts = witnessesOf(client);
  if (hosts.length < 2) return void (await client.sendRawTransaction({ serializedTransaction }));
  const call = { method: 'eth_sendRawTransaction', params: [serializedTransaction] } as const;
  const settled = await Promise.allSettled(hosts.map((host) => host.request(call)));
  const [failure] = settled.filter((result) => result.status === 'rejected');
  if (failure && !settled.some(({ status }) => status === 'fulfilled')) throw failure.reason;
}
