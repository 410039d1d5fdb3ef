import { Clock, Logger, SteadyClock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { WatchesRepository } from '../watch/watches.repository.ts';
import { HyperCoreQueries } from './hypercore-queries.ts';
import { ReportFindService } from './report-find.service.ts';
import { ScheduledSearch } from './scheduled-search.ts';
import { TokenSearch } from './token-search.ts';

/** Searches for HYPE on HyperCore and for tokens, on the same schedule. */
@Injectable()
export class WrongAssetSearches {
  private readonly searches;

  constructor(
    clock: Clock,
    steady: SteadyClock,
    hyperCore: HyperCoreQueries,
    tokens: TokenSearch,
    watches: WatchesRepository,
    finds: ReportFindService,
    logger: Logger,
  ) {
    this.searches = [
      new ScheduledSearch(clock, hyperCore.search, watches, finds, logger, steady),
      new ScheduledSearch(clock, tokens, watches, finds, logger, steady),
    ];
  }

  /** Starts the rounds that are due, without waiting for them. Never fails. */
  afterBlock(): void {
    for (const search of this.searches) void search.afterBlock();
  }
}
