import { call } from 'viem/actions';
import type { ChainClient } from '../client.ts';
import type { EndpointsExtras } from '../endpoints/endpoints-transport.ts';

/**
 * The only thing that scanning needs of a client: one JSON-RPC call. Blocks are read in their wire form, because
 * formatting every transaction of every block costs more than looking for ours in it.
 */
export type RpcRequest = (call: { method: string; params: readonly unknown[] }) => Promise<unknown>;

/** The calls of a client, without viem's formatting. */
export function rpcRequestOf(client: ChainClient): RpcRequest {
  return client.request as RpcRequest;
}

/** The same, for work that strangers cause: such calls go behind all others and use half of a limit at most. */
export function backgroundRequestOf(client: ChainClient): RpcRequest {
  const { inBackground } = client.transport as Partial<EndpointsExtras>;
  return inBackground ?? rpcRequestOf(client);
}

/** The same as a client, for reads of contracts: see {@link queryAll}. */
export function backgroundClientOf(client: ChainClient): ChainClient {
  const background: ChainClient = { ...client, request: backgroundRequestOf(client) as ChainClient['request'] };
  return { ...background, call: (parameters) => call(background, parameters) };
}
