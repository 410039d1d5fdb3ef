import type { MarketFactsMessage } from '@maker/contracts';
import { Connection, insertRows, rowSchema } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import { type ClientSession, type Model, Schema } from 'mongoose';

interface MarketRow {
  /** Job id. */
  _id: string;
  market: MarketFactsMessage;
}

const marketRowSchema = rowSchema<MarketRow>('markets', { _id: String, market: Schema.Types.Mixed });

/**
 * What each job's plan was made from, while it waits for its payment: with it the plan is made again for what was paid, without
 * asking anybody. Apart from the jobs, whose rows are read far more often.
 */
@Injectable()
export class MarketsRepository {
  private readonly markets: Model<MarketRow>;

  constructor(connection: Connection) {
    this.markets = connection.model<MarketRow>('Market', marketRowSchema);
  }

  /** @param markets by the ids of their jobs */
  async insert(markets: ReadonlyMap<string, MarketFactsMessage>, session: ClientSession): Promise<void> {
    const rows = [...markets].map(([jobId, market]) => ({ _id: jobId, market }));
    await insertRows(this.markets, rows, session);
  }

  /** Undefined for jobs that are older than plans. */
  async take(jobId: string, session: ClientSession): Promise<MarketFactsMessage | undefined> {
    const row = await this.markets.findByIdAndDelete(jobId, { session }).lean<MarketRow>();
    return row?.market;
  }
}
