import { call } from 'viem/actions';
import type { ChainClient } from '../client.ts';
import type { EndpointsExtras } from '../endpoints/endpoints-transport.ts';
import type { RpcCall } from '../endpoints/request-outcome.ts';

/**
 * One JSON-RPC call: the only part of a client that a scan needs. It reads blocks in their wire form, because
 * formatting every transaction of every block costs more than the search for ours.
 */
export type RpcRequest = (call: Required<RpcCall>) => Promise<unknown>;

/** Returns the calls of a client without viem's formatting. */
export function rpcRequestOf(client: ChainClient): RpcRequest {
  return client.request as RpcRequest;
}

/** The same for work that strangers cause: such calls have the lowest priority and use at most half of a limit. */
export function backgroundRequestOf(client: ChainClient): RpcRequest {
  const { inBackground } = client.transport as Partial<EndpointsExtras>;
  return inBackground ?? rpcRequestOf(client);
}

/** The same as a client, for reads of contracts: see {@link queryAll}. */
export function backgroundClientOf(client: ChainClient): ChainClient {
  const background: ChainClient = { ...client, request: backgroundRequestOf(client) as ChainClient['request'] };
  return { ...background, call: (parameters) => call(background, parameters) };
}
