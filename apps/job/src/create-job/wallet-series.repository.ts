import { Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { Injectable } from '@nestjs/common';

interface LastSeries {
  readonly id: string;
  readonly series: number;
}

const schema = new EntitySchema<LastSeries>('wallet_series', { series: Number });

const LAST = 'last';

/** The last series of wallets that a process took, in Mongo. */
@Injectable()
export class WalletSeriesRepository {
  private readonly last: EntityCollection<LastSeries>;

  constructor(connection: Connection) {
    this.last = new EntityCollection(connection, schema);
  }

  /** Takes a series that no other process of this database took. @param least the smallest that may be taken */
  async take(least: number): Promise<number> {
    const next = { $max: [least, { $add: [{ $ifNull: ['$series', 0] }, 1] }] };
    const row = await this.last.rows
      .findOneAndUpdate({ _id: LAST }, [{ $set: { series: next } }], {
        upsert: true,
        returnDocument: 'after',
        updatePipeline: true,
      })
      .lean<LastSeries>();
    if (!row) throw new Error('An upsert gave no document');
    return row.series;
  }
}
