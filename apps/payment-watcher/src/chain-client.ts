import { type ChainClient, createChainClient, networkOf } from '@maker/chain';
import type { PaymentWatcherConfiguration } from './configuration.ts';
import type { PaymentWatcherMetrics } from './payment-watcher.metrics.ts';

/** Injection token of the {@link ChainClient}. */
export const CHAIN_CLIENT = Symbol('CHAIN_CLIENT');

/** Injection token of the `RpcRequest` of that client: its calls without viem's formatting. */
export const CHAIN_REQUEST = Symbol('CHAIN_REQUEST');

/** The client by which the watcher reads the chain; every call is counted. */
export function chainClient(configuration: PaymentWatcherConfiguration, metrics: PaymentWatcherMetrics): ChainClient {
  return createChainClient({
    network: networkOf(configuration.CHAIN_ID),
    rpcUrls: configuration.CHAIN_RPC_URLS,
    onRequest: (method, outcome, ms, endpoint) => metrics.requested(method, outcome, ms, endpoint),
  });
}
