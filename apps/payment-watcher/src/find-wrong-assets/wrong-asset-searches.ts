import { Clock, Logger } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { WatchesRepository } from '../watch/watches.repository.ts';
import { HyperCoreQueries } from './hypercore-queries.ts';
import { ScheduledSearch } from './scheduled-search.ts';
import { TellFindService } from './tell-find.service.ts';
import { TokenSearch } from './token-search.ts';

/** Searches for HYPE on HyperCore and for tokens, both by the same schedule. */
@Injectable()
export class WrongAssetSearches {
  private readonly searches;

  constructor(
    clock: Clock,
    looks: HyperCoreQueries,
    tokens: TokenSearch,
    watches: WatchesRepository,
    finds: TellFindService,
    logger: Logger,
  ) {
    this.searches = [
      new ScheduledSearch(clock, looks.search, watches, finds, logger),
      new ScheduledSearch(clock, tokens, watches, finds, logger),
    ];
  }

  /** Begins the rounds that are due, beside the scan. Never fails. */
  afterBlock(): void {
    for (const search of this.searches) void search.afterBlock();
  }
}
