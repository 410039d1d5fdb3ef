import { COUNT, Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { NO_PACE, type Pace } from '@maker/rules';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ClientSession } from 'mongoose';

interface Capacity extends Pace {
  readonly id: string;
  readonly turn: number;
}

const schema = new EntitySchema<Capacity>('capacity', { turn: Number, gasPerSecond: COUNT, requestsPerHour: COUNT });

const WHOLE = 'whole';

/** Paces that trading jobs have booked, in MongoDB. The sum is over active jobs, so a job's end frees its pace. */
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
   * the same free pace. Call it before {@link booked}, in the same transaction.
   */
  async takeTurn(whole: Pace, session: ClientSession): Promise<void> {
    await this.capacity.update({ _id: WHOLE }, { $inc: { turn: 1 }, $set: schema.stored(whole) }, session);
  }

  /** Sum of the paces of all trading jobs. */
  async booked(session: ClientSession | null = null): Promise<Pace> {
    const [sum] = await this.connection
      .collection('jobs')
      .aggregate<{ _id: string }>(
        [
          { $match: { status: 'active', booked: { $exists: true } } },
          {
            $group: {
              _id: WHOLE,
              gasPerSecond: { $sum: '$booked.gasPerSecond' },
              requestsPerHour: { $sum: '$booked.requestsPerHour' },
            },
          },
        ],
        session ? { session } : {},
      )
      .toArray();
    return sum ? schema.toEntity(sum) : NO_PACE;
  }

  /** Booked pace and whole capacity. The last activation wrote the whole capacity; it is zero before the first. */
  async read(): Promise<{ readonly booked: Pace; readonly whole: Pace }> {
    const [booked, [whole = NO_PACE]] = await Promise.all([this.booked(), this.capacity.list({ _id: WHOLE })]);
    return { booked, whole };
  }
}
