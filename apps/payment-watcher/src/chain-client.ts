import { type ChainClient, createChainClient, mustSpareRequests, networkOf, requestLimits } from '@maker/chain';
import type { Logger } from 'pino';
import type { ChainReach } from './chain-reach.ts';
import type { PaymentWatcherConfiguration } from './configuration.ts';
import type { PaymentWatcherMetrics } from './payment-watcher.metrics.ts';

/** Injection token of the {@link ChainClient}. */
export const CHAIN_CLIENT = Symbol('CHAIN_CLIENT');

/** Injection token of that client's `RpcRequest`: calls without viem's formatting. */
export const CHAIN_REQUEST = Symbol('CHAIN_REQUEST');

/** Injection token of the `RpcRequest` for work that strangers cause: lowest priority, within half of each limit. */
export const BACKGROUND_REQUEST = Symbol('BACKGROUND_REQUEST');

/** Injection token of a {@link ChainClient} with the lowest priority, within half of each limit. */
export const BACKGROUND_CLIENT = Symbol('BACKGROUND_CLIENT');

/**
 * Default share of an endpoint's limit. Of 100 requests a minute, the watcher needs one for each block, three for balance
 * polls, and some for payments. The shares of all services add up to the whole limit.
 */
const USUAL_SHARE_PERCENT = 68;

/** Blocks between two polls of the head if requests are scarce. */
const SPARING_BLOCKS = 2;

/** Creates the client that reads the chain. The metrics count every call. */
export function chainClient(
  configuration: PaymentWatcherConfiguration,
  metrics: PaymentWatcherMetrics,
  logger: Logger,
  reach: ChainReach,
): ChainClient {
  const network = networkOf(configuration.CHAIN_ID);
  const observer = metrics.rpc.observer(logger);
  return createChainClient({
    network,
    rpcUrls: configuration.CHAIN_RPC_URLS,
    limits: requestLimits(network, configuration, USUAL_SHARE_PERCENT),
    evenly: true,
    ...observer,
    onRequest: (method, outcome, ms, position) => {
      reach.requested(outcome, ms);
      observer.onRequest(method, outcome, ms, position);
    },
  });
}

/** Time between two polls of the head, ms; undefined if the limits allow a request for each block. */
export function pollEveryMs(configuration: PaymentWatcherConfiguration): number | undefined {
  const network = networkOf(configuration.CHAIN_ID);
  const limits = requestLimits(network, configuration, USUAL_SHARE_PERCENT);
  return mustSpareRequests(limits, network) ? SPARING_BLOCKS * network.blockTimeMs : undefined;
}
