import { type HyperCoreApi, HyperCoreUnavailableError } from '@maker/chain';
import { Clock, Logger } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { PaymentWatcherMetrics } from '../payment-watcher.metrics.ts';
import type { AssetSearch } from './scheduled-search.ts';
import { nextOfSearch, type SearchProgress } from './search-progress.ts';

/** Injection token of the {@link HyperCoreApi}; undefined where no URL is configured. */
export const HYPERCORE_API = Symbol('HYPERCORE_API');

/** Looks under way at once: of 1200 units a minute that HyperCore allows an IP address, each takes 2. */
const MOST_AT_ONCE = 4;

/** What a look said. `foundWei` is undefined where it was given up, or nothing is looked for. */
export interface Look {
  readonly foundWei: bigint | undefined;
}

/**
 * Looks at HyperCore, beside the scan, which waits for none of them. What is under way is kept in memory: after a restart
 * a look is made again. Source: hyperevm § 1.1.
 */
@Injectable()
export class HyperCoreQueries {
  private readonly looks = new Map<Address, SearchProgress>();

  constructor(
    private readonly clock: Clock,
    private readonly metrics: PaymentWatcherMetrics,
    @Inject(HYPERCORE_API) private readonly api: HyperCoreApi | undefined,
    private readonly logger: Logger,
  ) {
    if (api) logger.info('HyperCore queries enabled');
    else logger.warn('HYPERCORE_API_URL not set: HYPE that is sent on HyperCore to a job’s address is not noticed');
  }

  /** By which the addresses of jobs are searched in rounds: 240 of the 1200 units a minute. */
  get search(): AssetSearch<'hyperCore'> {
    return {
      kind: 'hyperCore',
      isConfigured: this.api !== undefined,
      name: 'HYPE on HyperCore',
      addressesPerCall: 1,
      callsAtOnce: MOST_AT_ONCE,
      nothing: '0',
      find: (watches) => Promise.all(watches.map(async ({ address }) => `${await this.look(address)}`)),
    };
  }

  /** Begins a look where none was made yet. @returns undefined while it is under way */
  lookBeforeExpiry(address: Address): Look | undefined {
    if (!this.api) return { foundWei: undefined };
    const nowMs = this.clock.now();
    const look = this.looks.get(address) ?? { firstAskedAtMs: nowMs, trying: false };
    switch (nextOfSearch(look, nowMs)) {
      case 'done':
        this.looks.delete(address);
        return { foundWei: look.foundWei };
      case 'give_up':
        this.looks.delete(address);
        this.metrics.checkedHyperCore('given_up');
        this.logger.error({ address }, 'job expired without a HyperCore query; an operator can repeat it');
        return { foundWei: undefined };
      case 'wait':
        return undefined;
      case 'try':
        if ([...this.looks.values()].filter(({ trying }) => trying).length < MOST_AT_ONCE) void this.try(address, look);
        else this.looks.set(address, look);
        return undefined;
    }
  }

  /** One look, now. @throws HyperCoreUnavailableError */
  async look(address: Address): Promise<bigint> {
    if (!this.api) throw new HyperCoreUnavailableError('is not configured (HYPERCORE_API_URL)');
    const foundWei = await this.api.hypeBalance(address);
    this.metrics.checkedHyperCore(foundWei > 0n ? 'found' : 'nothing');
    return foundWei;
  }

  private async try(address: Address, look: SearchProgress): Promise<void> {
    const tried = { ...look, lastTriedAtMs: this.clock.now() };
    this.looks.set(address, { ...tried, trying: true });
    try {
      const foundWei = await this.look(address);
      this.looks.set(address, { ...tried, trying: false, foundWei });
    } catch (error) {
      this.metrics.checkedHyperCore('failed');
      this.logger.warn({ err: error, address }, 'HyperCore query failed, retrying');
      this.looks.set(address, { ...tried, trying: false });
    }
  }
}
