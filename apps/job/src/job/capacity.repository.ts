import { COUNT, Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { type Booking, bookedPace, NO_PACE, type Pace } from '@maker/rules';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { Job } from './job.ts';

interface Capacity extends Pace {
  readonly id: string;
  readonly turn: number;
}

const schema = new EntitySchema<Capacity>('capacity', { turn: Number, gasPerSecond: COUNT, requestsPerHour: COUNT });

const WHOLE = 'whole';

/** How long a paid job keeps a booking that it does not use, ms. Source: docs/adr/0155. */
const UNUSED_FOR_MS = 120_000;

/** A job's booking while it waits before its fee, by the database's clock. */
const HELD = { $gt: [{ $add: ['$bookedAt', UNUSED_FOR_MS] }, '$$NOW'] };

/** The widest network of a job's client. */
const NETWORK = { $first: '$clientNetworks' };

/** A row of a job with the fields of its booking. */
interface BookedRow {
  readonly _id: string;
  readonly tokenAddress: string;
  readonly returnAddress: string | null;
  readonly network?: string;
  readonly booked: { readonly gasPerSecond: number; readonly requestsPerHour: number };
  readonly endsAt: string;
  readonly isUsed: boolean;
}

/** Those who book, as far as they are known. */
export interface Parties extends Pick<Job, 'tokenAddress'> {
  readonly returnAddress?: string | null | undefined;
  /** The widest network of the client. */
  readonly network?: string | undefined;
}

/** Keys of {@link Booking.parties}. */
export function partiesOf({ tokenAddress, returnAddress, network }: Parties): readonly string[] {
  return [
    `token ${tokenAddress}`,
    ...(returnAddress ? [`recipient ${returnAddress}`] : []),
    ...(network === undefined ? [] : [`network ${network}`]),
  ];
}

/** Bookings of paid jobs, in MongoDB: fields of the rows of active jobs, so a job's end frees its pace. */
@Injectable()
export class CapacityRepository implements OnModuleInit {
  private readonly capacity: EntityCollection<Capacity>;

  constructor(private readonly connection: Connection) {
    this.capacity = new EntityCollection(connection, schema);
  }

  async onModuleInit(): Promise<void> {
    // Created here, so that the first concurrent transactions do not conflict by upserts.
    const nothing = { turn: 0, gasPerSecond: 0, requestsPerHour: 0 };
    await this.capacity.rows.updateOne({ _id: WHOLE }, { $setOnInsert: nothing }, { upsert: true });
  }

  /**
   * Writes a shared document before a booking: of two concurrent bookings one aborts and retries, so that both cannot use
   * the same free pace. Call it before {@link bookings}, in the same transaction.
   * @param whole capacity by the newest market; absent: it stays
   */
  async takeTurn(session: ClientSession, whole?: Pace): Promise<void> {
    const change = whole && { $set: schema.stored(whole) };
    await this.capacity.update({ _id: WHOLE }, { $inc: { turn: 1 }, ...change }, session);
  }

  /** Bookings of all active jobs; those that were given back are left out. */
  async bookings(session: ClientSession | null = null): Promise<readonly Booking[]> {
    const isUsed = { $not: [{ $ifNull: ['$bookedAt', false] }] };
    const rows = await this.jobs
      .aggregate<BookedRow>(
        [
          { $match: { status: 'active', booked: { $exists: true }, $expr: { $or: [isUsed, HELD] } } },
          {
            $project: {
              tokenAddress: 1,
              returnAddress: 1,
              network: NETWORK,
              booked: 1,
              endsAt: '$plan.latestEndAt',
              isUsed,
            },
          },
        ],
        session ? { session } : {},
      )
      .toArray();
    return rows.map(({ booked, endsAt, isUsed: used, ...parties }) => ({
      gasPerSecond: BigInt(booked.gasPerSecond),
      requestsPerHour: BigInt(booked.requestsPerHour),
      parties: partiesOf(parties),
      isUsed: used,
      endsAtMs: Date.parse(endsAt),
    }));
  }

  /** The widest network of the client that created a job. */
  async networkOf(jobId: string, session: ClientSession): Promise<string | undefined> {
    const row = await this.jobs.findOne({ _id: jobId }, { session, projection: { network: NETWORK } });
    return row?.network;
  }

  /** Sum of the paces of all bookings. */
  async booked(): Promise<Pace> {
    return bookedPace(await this.bookings());
  }

  /** Keeps a booking until the job's end. @param isHeld only if the job did not give it back @returns false if it was given back */
  async use(jobId: string, { isHeld }: { readonly isHeld: boolean }, session: ClientSession): Promise<boolean> {
    const booking = { _id: jobId, ...(isHeld && { $or: [{ bookedAt: { $exists: false } }, { $expr: HELD }] }) };
    const { matchedCount } = await this.jobs.updateOne(booking, { $unset: { bookedAt: 1 } }, { session });
    return matchedCount > 0;
  }

  /** Whole capacity, as the last activation wrote it; zero before the first. */
  async whole(session: ClientSession | null = null): Promise<Pace> {
    const [whole = NO_PACE] = await this.capacity.list({ _id: WHOLE }, { session });
    return whole;
  }

  private get jobs() {
    return this.connection.collection<BookedRow>('jobs');
  }
}
