import type { MarketFactsMessage } from '@maker/contracts';
import { Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import { type ClientSession, Schema } from 'mongoose';

interface JobMarket {
  readonly jobId: string;
  readonly market: MarketFactsMessage;
}

const schema = new EntitySchema<JobMarket, 'jobId'>('markets', { market: Schema.Types.Mixed }, 'jobId');

/**
 * Market facts behind the plan of each unpaid job. At the payment, the service makes the plan again from them, without
 * a request. They are in their own collection, because rows of jobs are read far more often.
 */
@Injectable()
export class MarketsRepository {
  private readonly markets: EntityCollection<JobMarket, 'jobId'>;

  constructor(connection: Connection) {
    this.markets = new EntityCollection(connection, schema);
  }

  /** @param markets by the ids of their jobs */
  async insert(markets: ReadonlyMap<string, MarketFactsMessage>, session: ClientSession): Promise<void> {
    const rows = [...markets].map(([jobId, market]) => ({ jobId, market }));
    await this.markets.insert(rows, session);
  }

  /** Removes and returns the market; undefined if it was removed before. */
  async take(jobId: string, session: ClientSession): Promise<MarketFactsMessage | undefined> {
    const row = await this.markets.rows.findByIdAndDelete(jobId, { session }).lean<JobMarket>();
    return row?.market;
  }
}
