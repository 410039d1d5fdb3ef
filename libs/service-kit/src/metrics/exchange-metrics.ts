import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { declareMetrics, gauge } from './declare-metric.ts';

const STATES = ['in_use', 'set_aside'] as const;

/** Receives the results of the exchange checks. */
export interface ExchangeListener {
  /** @param problem the reason why the exchange is set aside; undefined for one in use */
  onExchange(exchangeId: string, problem: Error | undefined): void;
  onCheckFailed(error: unknown): void;
}

/** The number of exchanges in use and set aside, under the same names in every service that trades or quotes. */
export class ExchangeMetrics {
  private readonly metrics;
  private readonly setAside = new Map<string, boolean>();

  constructor(registry: Registry) {
    this.metrics = declareMetrics(registry, {
      maker_chain_exchanges: gauge(
        'Exchanges of the registry: in_use when they match it, set_aside when they do not and the service skips them.',
        { state: STATES },
      ),
    });
  }

  /** Counts and logs the results of exchange checks; the log names the exchange and the problem. */
  listener(logger: Logger): ExchangeListener {
    return {
      onExchange: (exchangeId, problem) => {
        this.setAside.set(exchangeId, problem !== undefined);
        const aside = [...this.setAside.values()].filter(Boolean).length;
        this.metrics.maker_chain_exchanges.set({ state: 'set_aside' }, aside);
        this.metrics.maker_chain_exchanges.set({ state: 'in_use' }, this.setAside.size - aside);
        if (problem) logger.error({ exchange: exchangeId, err: problem }, 'exchange set aside');
        else logger.info({ exchange: exchangeId }, 'exchange verified');
      },
      onCheckFailed: (error) => logger.warn({ err: error }, 'exchange check failed, keeping the exchanges'),
    };
  }
}
