import { type HyperCoreApi, HyperCoreUnavailableError } from '@maker/chain';
import { Logger, SteadyClock } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { PaymentWatcherMetrics } from '../payment-watcher.metrics.ts';
import type { AssetSearch } from './scheduled-search.ts';
import { nextOfSearch, type SearchProgress } from './search-progress.ts';

/** Injection token of the {@link HyperCoreApi}; undefined if no URL is configured. */
export const HYPERCORE_API = Symbol('HYPERCORE_API');

/** Most concurrent queries. HyperCore allows an IP address 1200 units a minute; a query costs 2. */
const MOST_CONCURRENT = 4;

/** Result of a query. `foundWei` is undefined if the query was given up, or was not made. */
export interface QueryResult {
  readonly foundWei: bigint | undefined;
}

/**
 * Queries HyperCore for HYPE at job addresses. The scan never waits for a query. Progress is only in memory: after a restart
 * the query runs again. Source: hyperevm § 1.1.
 */
@Injectable()
export class HyperCoreQueries {
  private readonly queries = new Map<Address, SearchProgress>();

  constructor(
    private readonly clock: SteadyClock,
    private readonly metrics: PaymentWatcherMetrics,
    @Inject(HYPERCORE_API) private readonly api: HyperCoreApi | undefined,
    private readonly logger: Logger,
  ) {
    if (api) logger.info('HyperCore queries enabled');
    else logger.warn('HYPERCORE_API_URL not set: HYPE that is sent to a job’s address on HyperCore is not found');
  }

  /** The search that the scheduled rounds use: 240 of the 1200 units a minute. */
  get search(): AssetSearch<'hyperCore'> {
    return {
      kind: 'hyperCore',
      isConfigured: this.api !== undefined,
      name: 'HYPE on HyperCore',
      addressesPerCall: 1,
      concurrentCalls: MOST_CONCURRENT,
      nothing: '0',
      find: (watches) => Promise.all(watches.map(async ({ address }) => `${await this.query(address)}`)),
    };
  }

  /** Starts or continues the query before a job expires. @returns undefined while the query is in progress */
  queryBeforeExpiry(address: Address): QueryResult | undefined {
    if (!this.api) return { foundWei: undefined };
    const nowMs = this.clock.now();
    const progress = this.queries.get(address) ?? { firstAskedAtMs: nowMs, trying: false };
    switch (nextOfSearch(progress, nowMs)) {
      case 'done':
        this.queries.delete(address);
        return { foundWei: progress.foundWei };
      case 'give_up':
        this.queries.delete(address);
        this.metrics.checkedHyperCore('given_up');
        this.logger.error({ address }, 'job expired without a HyperCore query; an operator can repeat it');
        return { foundWei: undefined };
      case 'wait':
        return undefined;
      case 'try':
        if ([...this.queries.values()].filter(({ trying }) => trying).length < MOST_CONCURRENT)
          void this.try(address, progress);
        else this.queries.set(address, progress);
        return undefined;
    }
  }

  /** Returns the HYPE of an address on HyperCore, wei. @throws HyperCoreUnavailableError */
  async query(address: Address): Promise<bigint> {
    if (!this.api) throw new HyperCoreUnavailableError('is not configured (HYPERCORE_API_URL)');
    const foundWei = await this.api.hypeBalance(address);
    this.metrics.checkedHyperCore(foundWei > 0n ? 'found' : 'nothing');
    return foundWei;
  }

  private async try(address: Address, progress: SearchProgress): Promise<void> {
    const tried = { ...progress, lastTriedAtMs: this.clock.now() };
    this.queries.set(address, { ...tried, trying: true });
    try {
      const foundWei = await this.query(address);
      this.queries.set(address, { ...tried, trying: false, foundWei });
    } catch (error) {
      this.metrics.checkedHyperCore('failed');
      this.logger.warn({ err: error, address }, 'HyperCore query failed, retrying');
      this.queries.set(address, { ...tried, trying: false });
    }
  }
}
