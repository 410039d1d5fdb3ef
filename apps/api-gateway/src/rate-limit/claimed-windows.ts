import { type Collection, MongoClient } from 'mongodb';

/** A replica claims 1 / `SHARE` of the remaining limit. */
export const SHARE = 40;

/** Requests of a window that a replica may admit without another claim. */
export interface Claim {
  /** Number of requests; 0 if the limit is used up. */
  readonly granted: number;
  /** Requests that all replicas have claimed in this window, with this claim. */
  readonly claimed: number;
  /** Time until the window ends by the database's clock, ms. */
  readonly leftMs: number;
}

interface WindowDocument {
  _id: string;
  claimed: number;
  granted: number;
  claimedAt: Date;
  expiresAt: Date;
}

/** Windows of requests that all replicas of the gateway count together. */
export type ClaimedWindows = Pick<MongoWindows, 'claim' | 'prepare' | 'close'>;

/**
 * Windows in the gateway's own database (design § 3). A claim is one atomic update by the database's clock, so neither
 * parallel claims nor different clocks admit too many requests. A lost write loses only counts, so one
 * acknowledgement is enough and there are no retries.
 */
export class MongoWindows {
  private readonly windows: Collection<WindowDocument>;
  private indexed: Promise<void> | undefined;

  /** @param client may be unconnected; each claim connects if needed */
  constructor(private readonly client: MongoClient) {
    this.windows = client.db().collection('rate_limit_windows', { writeConcern: { w: 1 } });
  }

  /** @param url with the name of the database */
  static open(url: string): { client: MongoClient; windows: MongoWindows } {
    const client = new MongoClient(url, {
      appName: 'api-gateway',
      retryWrites: false,
      serverSelectionTimeoutMS: 1000,
      connectTimeoutMS: 1000,
      socketTimeoutMS: 2000,
      maxPoolSize: 20,
      monitorCommands: true,
    });
    return { client, windows: new MongoWindows(client) };
  }

  /**
   * Takes a share of a limit, and opens the window if there is none.
   * @param windowMs length of the window, ms
   * @param needed requests that wait for this claim or passed before it; the share covers them as far as the limit allows
   */
  async claim(key: string, limit: number, windowMs: number, needed = 1): Promise<Claim> {
    void this.prepare();
    const left = { $subtract: [limit, '$claimed'] };
    const window = await this.windows.findOneAndUpdate(
      { _id: key },
      [
        { $set: { claimedAt: '$$NOW', live: { $gt: ['$expiresAt', '$$NOW'] } } },
        {
          $set: {
            claimed: { $cond: ['$live', '$claimed', 0] },
            expiresAt: { $cond: ['$live', '$expiresAt', { $add: ['$$NOW', windowMs] }] },
          },
        },
        {
          $set: {
            granted: { $max: [0, { $min: [left, { $max: [1, needed, { $floor: { $divide: [left, SHARE] } }] }] }] },
          },
        },
        { $set: { claimed: { $add: ['$claimed', '$granted'] } } },
        { $unset: 'live' },
      ],
      { upsert: true, returnDocument: 'after' },
    );
    if (!window) throw new Error('an upsert gave no document');
    const { granted, claimed, expiresAt, claimedAt } = window;
    return { granted, claimed, leftMs: expiresAt.getTime() - claimedAt.getTime() };
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  /** Connects before the first claim, and creates the index that removes ended windows. After a failure, the next claim retries. */
  prepare(): Promise<void> {
    this.indexed ??= this.windows.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 }).then(
      () => undefined,
      () => {
        this.indexed = undefined;
      },
    );
    return this.indexed;
  }
}
