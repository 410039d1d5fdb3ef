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
 * What each job's plan was made from, while it waits for its payment: with it the plan is made again for what was paid, without
 * asking anybody. Apart from the jobs, whose rows are read far more often.
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

  /** Removes the market. Undefined where it was taken before. */
  async take(jobId: string, session: ClientSession): Promise<MarketFactsMessage | undefined> {
    const row = await this.markets.rows.findByIdAndDelete(jobId, { session }).lean<JobMarket>();
    return row?.market;
  }
}
