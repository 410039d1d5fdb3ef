import { type Collection, MongoClient } from 'mongodb';

/** Part of what is left of a limit that a replica takes at once. */
export const SHARE = 40;

/** What a replica may let through of a window without asking again. */
export interface Claim {
  /** Requests; none when the limit is used up. */
  readonly granted: number;
  /** Requests that all replicas have claimed in this window, this claim's among them. */
  readonly claimed: number;
  /** Until the window ends, ms, by the database's clock. */
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
 * parallel claims nor clocks that differ let a request too many through. Not more than lost counts is at stake: one
 * acknowledgement will do, and nothing is tried twice.
 */
export class MongoWindows {
  private readonly windows: Collection<WindowDocument>;
  private indexed: Promise<void> | undefined;

  /** @param client not necessarily connected; each claim connects where needed */
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
   * Takes a share of a limit, opening the window where there is none.
   * @param windowMs length of the window, ms
   * @param needed requests that wait for this claim or passed ahead of it; the share has as many, as far as they are left
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

  /** Connects ahead of the first claim, and lets the database remove what is over. Where that fails, the next claim tries again. */
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
