import {
  type Collection,
  MongoClient,
  MongoNetworkTimeoutError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb';

/** A replica claims 1 / `SHARE` of the remaining limit. */
export const SHARE = 40;

/** Time limit of a connection, and of a command, ms. */
const CONNECT_MS = 10_000;

/** Requests of a window that a replica may admit without another claim. */
export interface Claim {
  /** Number of requests; 0 if the limit is used up. */
  readonly granted: number;
  /** Requests of all replicas that count against the limit now, with this claim. */
  readonly claimed: number;
  /** Time until the window ends, or until a request is free if none was granted, by the database's clock, ms. */
  readonly leftMs: number;
}

/** The database did not answer in time. Other errors show that it is down. */
export class LateWindowsError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'LateWindowsError';
  }
}

interface WindowDocument {
  _id: string;
  claimed: number;
  /** Claimed in the window before. It counts as far as that window still reaches into the last `windowMs`. */
  previous: number;
  granted: number;
  claimedAt: Date;
  endsAt: Date;
  /** End of the next window: until then this one counts. */
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
      // A busy machine connects late. The driver closes everything when the first selection ends, and would begin again at each claim.
      serverSelectionTimeoutMS: CONNECT_MS,
      connectTimeoutMS: CONNECT_MS,
      socketTimeoutMS: CONNECT_MS,
      maxPoolSize: 20,
      monitorCommands: true,
    });
    return { client, windows: new MongoWindows(client) };
  }

  /**
   * Takes a share of a limit, and opens the window if there is none.
   * @param windowMs length of the window, ms
   * @param needed requests that wait for this claim or passed before it; the share covers them as far as the limit allows
   * @throws LateWindowsError if the database does not answer in time
   */
  async claim(key: string, limit: number, windowMs: number, needed = 1): Promise<Claim> {
    void this.prepare();
    const carried = { $multiply: ['$previous', { $divide: [{ $subtract: ['$endsAt', '$$NOW'] }, windowMs] }] };
    const left = { $subtract: [limit, '$counted'] };
    const update = this.windows.findOneAndUpdate(
      { _id: key },
      [
        { $set: { isLive: { $gt: ['$endsAt', '$$NOW'] }, isRecent: { $gt: ['$expiresAt', '$$NOW'] } } },
        {
          $set: {
            claimedAt: '$$NOW',
            claimed: { $cond: ['$isLive', '$claimed', 0] },
            previous: { $cond: ['$isLive', '$previous', { $cond: ['$isRecent', '$claimed', 0] }] },
            endsAt: {
              $cond: ['$isLive', '$endsAt', { $cond: ['$isRecent', '$expiresAt', { $add: ['$$NOW', windowMs] }] }],
            },
          },
        },
        { $set: { expiresAt: { $add: ['$endsAt', windowMs] }, counted: { $add: ['$claimed', { $ceil: carried }] } } },
        {
          $set: {
            granted: { $max: [0, { $min: [left, { $max: [1, needed, { $floor: { $divide: [left, SHARE] } }] }] }] },
          },
        },
        { $set: { claimed: { $add: ['$claimed', '$granted'] } } },
        { $unset: ['isLive', 'isRecent', 'counted'] },
      ],
      { upsert: true, returnDocument: 'after' },
    );
    const window = await update.catch((error: unknown) => {
      throw isLate(error) ? new LateWindowsError(error) : error;
    });
    if (!window) throw new Error('an upsert gave no document');
    const { granted, claimed, previous } = window;
    const leftMs = window.endsAt.getTime() - window.claimedAt.getTime();
    const counted = claimed + Math.ceil((previous * leftMs) / windowMs);
    return { granted, claimed: counted, leftMs: granted > 0 ? leftMs : freeInMs(window, limit, leftMs, windowMs) };
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

/** Time until the window before has left the last `windowMs` so far that a request is free, ms; at most until the window ends. */
function freeInMs({ claimed, previous }: WindowDocument, limit: number, leftMs: number, windowMs: number): number {
  const stillCounts = limit - claimed - 1;
  return stillCounts < 0 ? leftMs : Math.max(1, Math.ceil(leftMs - (windowMs * stillCounts) / previous));
}

function isLate(error: unknown): boolean {
  // The topology closes when another claim's first selection has timed out.
  if (error instanceof MongoNetworkTimeoutError || error instanceof MongoTopologyClosedError) return true;
  if (error instanceof MongoServerSelectionError) {
    const problems = [...(error.reason?.servers.values() ?? [])].map((server) => server.error);
    return problems.every((problem) => problem === null || isLate(problem));
  }
  // The driver ends the waiting commands of a pool with the error that cleared it as their cause.
  return error instanceof Error && error.cause !== undefined && isLate(error.cause);
}
