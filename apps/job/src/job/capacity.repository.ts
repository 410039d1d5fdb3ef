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

/** What the jobs that trade have booked, in Mongo: the sum over all of them, so that a job's end frees its pace by itself. */
@Injectable()
export class CapacityRepository implements OnModuleInit {
  private readonly capacity: EntityCollection<Capacity>;

  constructor(private readonly connection: Connection) {
    this.capacity = new EntityCollection(connection, schema);
  }

  async onModuleInit(): Promise<void> {
    // Created here, so that the first transactions meet a document and not each other's upserts.
    const nothing = { turn: 0, gasPerSecond: 0, requestsPerHour: 0 };
    await this.capacity.rows.updateOne({ _id: WHOLE }, { $setOnInsert: nothing }, { upsert: true });
  }

  /**
   * Takes the turn to book: of two transactions that book at once one is undone and tried again, so that neither counts on what
   * the other takes. Before {@link booked}, in the same transaction.
   */
  async takeTurn(whole: Pace, session: ClientSession): Promise<void> {
    await this.capacity.update({ _id: WHOLE }, { $inc: { turn: 1 }, $set: schema.stored(whole) }, session);
  }

  /** The pace of all jobs that trade. */
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

  /** How much of the whole is booked. The whole is as the last activation saw it; nothing before the first. */
  async read(): Promise<{ readonly booked: Pace; readonly whole: Pace }> {
    const [booked, [whole = NO_PACE]] = await Promise.all([this.booked(), this.capacity.list({ _id: WHOLE })]);
    return { booked, whole };
  }
}
