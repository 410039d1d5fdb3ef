import type { ChainClient } from '../client.ts';

/**
 * The only thing that scanning needs of a client: one JSON-RPC call. Blocks are read in their wire form, because
 * formatting every transaction of every block costs more than looking for ours in it.
 */
export type RpcRequest = (call: { method: string; params: readonly unknown[] }) => Promise<unknown>;

/** The calls of a client, without viem's formatting. */
export function rpcRequestOf(client: ChainClient): RpcRequest {
  return client.request as RpcRequest;
}
