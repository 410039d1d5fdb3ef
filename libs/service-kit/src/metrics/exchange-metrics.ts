import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { declareMetrics, gauge } from './declare-metric.ts';

const STATES = ['in_use', 'set_aside'] as const;

/** What a service hears of the exchanges of its registry. */
export interface ExchangeListener {
  /** @param problem what is wrong with one that is set aside; undefined for one in use */
  onExchange(exchangeId: string, problem: Error | undefined): void;
  onCheckFailed(error: unknown): void;
}

/** Exchanges of the registry, by whether they are what it says; the same names in every service that trades or quotes. */
export class ExchangeMetrics {
  private readonly metrics;
  private readonly setAside = new Map<string, boolean>();

  constructor(registry: Registry) {
    this.metrics = declareMetrics(registry, {
      maker_chain_exchanges: gauge(
        'Exchanges of the registry that are what it says (in_use), and that are not and are passed over (set_aside).',
        { state: STATES },
      ),
    });
  }

  /** Counts and logs what the checks of exchanges find; the log says which, and what is wrong. */
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
