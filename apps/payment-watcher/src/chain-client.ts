import { type ChainClient, createChainClient, mustSpareRequests, networkOf, requestLimits } from '@maker/chain';
import type { Logger } from 'pino';
import type { PaymentWatcherConfiguration } from './configuration.ts';
import type { PaymentWatcherMetrics } from './payment-watcher.metrics.ts';

/** Injection token of the {@link ChainClient}. */
export const CHAIN_CLIENT = Symbol('CHAIN_CLIENT');

/** Injection token of the `RpcRequest` of that client: its calls without viem's formatting. */
export const CHAIN_REQUEST = Symbol('CHAIN_REQUEST');

/** Injection token of the `RpcRequest` for work that strangers cause: behind all other calls, within half of each limit. */
export const BACKGROUND_REQUEST = Symbol('BACKGROUND_REQUEST');

/** Injection token of a {@link ChainClient} whose calls go behind all others, within half of each limit. */
export const BACKGROUND_CLIENT = Symbol('BACKGROUND_CLIENT');

/**
 * What the watcher may use of an endpoint's limit unless the environment says otherwise: of 100 a minute, one for each block, three looks
 * at balances, and some for payments. The services' shares add up to all of it.
 */
const USUAL_SHARE_PERCENT = 68;

/** Blocks between two looks at the head where requests are scarce. */
const SPARING_BLOCKS = 2;

/** The client by which the watcher reads the chain; every call is counted. */
export function chainClient(
  configuration: PaymentWatcherConfiguration,
  metrics: PaymentWatcherMetrics,
  logger: Logger,
): ChainClient {
  const network = networkOf(configuration.CHAIN_ID);
  return createChainClient({
    network,
    rpcUrls: configuration.CHAIN_RPC_URLS,
    limits: requestLimits(network, configuration, USUAL_SHARE_PERCENT),
    evenly: true,
    ...metrics.rpc.observer(logger),
  });
}

/** Time between two looks at the head, ms; undefined where there are requests enough to look for each block when it comes. */
export function pollEveryMs(configuration: PaymentWatcherConfiguration): number | undefined {
  const network = networkOf(configuration.CHAIN_ID);
  const limits = requestLimits(network, configuration, USUAL_SHARE_PERCENT);
  return mustSpareRequests(limits, network) ? SPARING_BLOCKS * network.blockTimeMs : undefined;
}
