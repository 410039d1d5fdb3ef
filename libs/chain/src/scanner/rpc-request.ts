import type { EIP1193RequestFn } from 'viem';

/**
 * The only thing that scanning needs of a client: one JSON-RPC call. Blocks are read in their wire form, because
 * formatting every transaction of every block costs more than looking for ours in it.
 */
export type RpcRequest = (call: { method: string; params: readonly unknown[] }) => Promise<unknown>;

/**
 * Adapts viem's `client.request`.
 * @param onCall told the method of every call, for a metric
 */
export function rpcRequestOf(
  client: { request: EIP1193RequestFn<never> | EIP1193RequestFn },
  onCall?: (method: string) => void,
): RpcRequest {
  const request = client.request as (call: { method: string; params: readonly unknown[] }) => Promise<unknown>;
  return (call) => {
    onCall?.(call.method);
    return request(call);
  };
}
