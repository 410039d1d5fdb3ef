import { Connection, rowSchema } from '@maker/persistence';
import { NO_PACE, type Pace } from '@maker/rules';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ClientSession, Model } from 'mongoose';

interface CapacityRow {
  _id: string;
  turn: number;
  gasPerSecond: number;
  requestsPerHour: number;
}

const capacityRowSchema = rowSchema<CapacityRow>('capacity', {
  _id: String,
  turn: Number,
  gasPerSecond: Number,
  requestsPerHour: Number,
});

const WHOLE = 'whole';

/** How much of a pace is booked, of how much. */
export interface BookedCapacity {
  readonly booked: Pace;
  /** As the last activation saw it; nothing before the first. */
  readonly whole: Pace;
}

/** What the jobs that trade have booked, in Mongo: the sum over all of them, so that a job's end frees its pace by itself. */
@Injectable()
export class CapacityRepository implements OnModuleInit {
  private readonly capacity: Model<CapacityRow>;

  constructor(private readonly connection: Connection) {
    this.capacity = connection.model<CapacityRow>('Capacity', capacityRowSchema);
  }

  async onModuleInit(): Promise<void> {
    // Created here, so that the first transactions meet a document and not each other's upserts.
    const nothing = { turn: 0, gasPerSecond: 0, requestsPerHour: 0 };
    await this.capacity.updateOne({ _id: WHOLE }, { $setOnInsert: nothing }, { upsert: true });
  }

  /**
   * Takes the turn to book: of two transactions that book at once one is undone and tried again, so that neither counts on what
   * the other takes. Before {@link booked}, in the same transaction.
   */
  async takeTurn(whole: Pace, session: ClientSession): Promise<void> {
    await this.capacity.updateOne({ _id: WHOLE }, { $inc: { turn: 1 }, $set: stored(whole) }, { session });
  }

  /** The pace of all jobs that trade. */
  async booked(session: ClientSession | null = null): Promise<Pace> {
    const [sum] = await this.connection
      .collection('jobs')
      .aggregate<{ gasPerSecond: number; requestsPerHour: number }>(
        [
          { $match: { status: 'active', booked: { $exists: true } } },
          {
            $group: {
              _id: null,
              gasPerSecond: { $sum: '$booked.gasPerSecond' },
              requestsPerHour: { $sum: '$booked.requestsPerHour' },
            },
          },
        ],
        session ? { session } : {},
      )
      .toArray();
    return sum ? pace(sum) : NO_PACE;
  }

  /** For operators. */
  async read(): Promise<BookedCapacity> {
    const [booked, row] = await Promise.all([this.booked(), this.capacity.findById(WHOLE).lean<CapacityRow>()]);
    return { booked, whole: row ? pace(row) : NO_PACE };
  }
}

function pace({ gasPerSecond, requestsPerHour }: Pick<CapacityRow, 'gasPerSecond' | 'requestsPerHour'>): Pace {
  return { gasPerSecond: BigInt(gasPerSecond), requestsPerHour: BigInt(requestsPerHour) };
}

function stored({ gasPerSecond, requestsPerHour }: Pace): Pick<CapacityRow, 'gasPerSecond' | 'requestsPerHour'> {
  return { gasPerSecond: Number(gasPerSecond), requestsPerHour: Number(requestsPerHour) };
}
