import {
  createPublicClient,
  type Hash,
  type Hex,
  type PublicClient,
  type Transport,
  type Chain as ViemChain,
} from 'viem';
import type { EndpointHost } from './endpoints/endpoint-pool.ts';
import { type EndpointsExtras, type EndpointsOptions, endpointsTransport } from './endpoints/endpoints-transport.ts';
import { causeOf } from './endpoints/request-outcome.ts';
import { ChainUnavailableError, WrongChainError } from './errors.ts';
import { viemChain } from './networks.ts';

/** A viem client of one network. */
export type ChainClient = PublicClient<Transport, ViemChain>;

/**
 * A client over one or more RPC endpoints: healthy ones are asked in their order (docs/adr/0016). JSON-RPC batching stays
 * off, since most rate limits count a batch per call; many reads go into one `eth_call` instead ({@link queryAll}).
 */
export function createChainClient(options: EndpointsOptions): ChainClient {
  return createPublicClient({
    chain: viemChain(options.network),
    transport: endpointsTransport(options),
    pollingInterval: options.network.blockTimeMs,
  });
}

/**
 * Pins the chain: makes sure that there is an endpoint of it.
 * @throws WrongChainError when all serve another one
 * @throws ChainUnavailableError when none answers
 */
export async function verifyChainId(client: ChainClient, chainId: number): Promise<void> {
  const actual = await client.getChainId().catch((error: unknown) => {
    throw causeOf(error, WrongChainError) ?? new ChainUnavailableError('read the chain id', error);
  });
  if (actual !== chainId) throw new WrongChainError(chainId, actual);
}

/** Whether two endpoints of a client have this very block, and none another in its place; false where all are of one host. */
export async function agreeOnBlock({ transport }: ChainClient, height: number, hash: Hash): Promise<boolean> {
  const { agreesOn } = transport as Partial<EndpointsExtras>;
  return agreesOn ? agreesOn(height, hash) : false;
}

/** How many hosts the endpoints of a client are of: with one, nothing that it says can be confirmed. */
export function hostCountOf({ transport }: ChainClient): number {
  return (transport as Partial<EndpointsExtras>).hostCount ?? 1;
}

/** The hosts that a client may ask now, each of which answers for itself. */
export function hostsOf({ transport }: ChainClient): readonly EndpointHost[] {
  return (transport as Partial<EndpointsExtras>).hosts?.() ?? [];
}

/** The same, with those that show another branch: whoever lies may not have the others left out. */
export function witnessesOf({ transport }: ChainClient): readonly EndpointHost[] {
  return (transport as Partial<EndpointsExtras>).witnesses?.() ?? [];
}

/** Hands signed bytes to every host: the first may keep them to itself. @throws what the first failed with, where none took them */
export async function broadcastToAll(client: ChainClient, serializedTransaction: Hex): Promise<void> {
  const hosts = witnessesOf(client);
  if (hosts.length < 2) return void (await client.sendRawTransaction({ serializedTransaction }));
  const call = { method: 'eth_sendRawTransaction', params: [serializedTransaction] };
  const settled = await Promise.allSettled(hosts.map((host) => host.request(call)));
  const [failure] = settled.filter((result) => result.status === 'rejected');
  if (failure && !settled.some(({ status }) => status === 'fulfilled')) throw failure.reason;
}
