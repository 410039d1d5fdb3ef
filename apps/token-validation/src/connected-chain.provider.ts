import { type ConnectedChain, connectChain, latestBlock } from '@maker/chain';
import { Logger, Readiness, SteadyClock } from '@maker/service-kit';
import type { FactoryProvider } from '@nestjs/common';
import { CONFIGURATION, type TokenValidationConfiguration } from './configuration.ts';
import { ValidationMetrics } from './validation.metrics.ts';

/** Injection token of the verified chain: `@Inject(CONNECTED_CHAIN) chain: ConnectedChain`. */
export const CONNECTED_CHAIN = Symbol('CONNECTED_CHAIN');

/** The readiness check sends no request if an endpoint answered within this time, ms: requests are limited. */
const ANSWER_COUNTS_MS = 30_000;

/**
 * Default share of an endpoint's limit for validations. payment-watcher and maker-executor have the rest, so that all
 * services together stay within the limit.
 */
const USUAL_SHARE_PERCENT = 18;

/** Longest wait for a request slot, ms: the visitor's request times out after 5 s. */
const MOST_WAIT_MS = 4000;

/** The chain of the configuration, checked against the registry before the service starts. */
export const connectedChainProvider: FactoryProvider<ConnectedChain> = {
  provide: CONNECTED_CHAIN,
  inject: [CONFIGURATION, Logger, ValidationMetrics, Readiness, SteadyClock],
  useFactory: async (
    configuration: TokenValidationConfiguration,
    logger: Logger,
    metrics: ValidationMetrics,
    readiness: Readiness,
    clock: SteadyClock,
  ) => {
    let answeredAt = Number.NEGATIVE_INFINITY;
    const observer = metrics.rpc.observer(logger);
    const chain = await connectChain(configuration, {
      ...observer,
      ...metrics.exchanges.listener(logger),
      onRequest: (method, outcome, ms, position) => {
        if (outcome === 'ok') answeredAt = clock.now();
        observer.onRequest(method, outcome, ms, position);
      },
      sharePercent: USUAL_SHARE_PERCENT,
      mostWaitMs: MOST_WAIT_MS,
      onUnavailable: (error, attempt) => logger.warn({ err: error, attempt }, 'chain connection failed, retrying'),
    });
    readiness.add('chain', async () => {
      if (clock.now() - answeredAt > ANSWER_COUNTS_MS) await latestBlock(chain.client);
    });
    logger.info(
      { network: chain.network.name, exchanges: chain.market.exchanges.map((exchange) => exchange.id) },
      'chain connected, with the exchanges that match the registry',
    );
    // Nest calls this hook of a provider's value at shutdown.
    return { ...chain, onApplicationShutdown: () => chain.stop() };
  },
};
