import { MONGO_CONNECTION } from '@maker/persistence';
import { JOB_STATUSES, type JobStatus } from '@maker/rules';
import { Inject, Injectable } from '@nestjs/common';
import type { Connection } from 'mongoose';
import type { JobRow } from './job.row.ts';

/** What a job's deposits can be flagged as; several can hold at once. Source: design § 4. */
export const DEPOSIT_FLAGS = ['underpaid', 'overpaid', 'late'] as const;

/** Statuses in which a job waits for something to happen. */
export const OPEN_STATUSES = ['pending_payment', 'active'] as const;

/** Why money lies at a job's address without anybody at work to trade or return it. */
export const UNCLAIMED_REASONS = ['never_activated', 'after_end'] as const;

/** What the database says of all jobs together, for operators. */
export interface JobFigures {
  readonly byStatus: ReadonlyMap<JobStatus, number>;
  /** Since when the oldest job is where it is, ms since 1970: its creation, or its activation. */
  readonly oldestSinceMs: ReadonlyMap<(typeof OPEN_STATUSES)[number], number>;
  /** Earliest deadline among the jobs that wait for their payment, ms since 1970. */
  readonly earliestDeadlineMs: number | undefined;
  readonly flagged: ReadonlyMap<(typeof DEPOSIT_FLAGS)[number], number>;
  /** Wei, rounded to a double. */
  readonly unclaimedWei: ReadonlyMap<(typeof UNCLAIMED_REASONS)[number], number>;
}

const wei = (field: string) => ({ $toDouble: field });

/** Reads figures over all jobs; each is answered by an index or is about flagged jobs only. */
@Injectable()
export class JobFiguresRepository {
  constructor(@Inject(MONGO_CONNECTION) private readonly connection: Connection) {}

  async read(): Promise<JobFigures> {
    const [byStatus, pending, active, deadline, flagged, unclaimedWei] = await Promise.all([
      this.countByStatus(),
      this.oldest({ status: 'pending_payment' }, 'createdAt'),
      this.oldest({ status: 'active' }, 'activatedAt'),
      this.oldest({ status: 'pending_payment' }, 'paymentDeadlineAt'),
      this.countFlagged(),
      this.sumUnclaimed(),
    ]);
    const oldestSinceMs = new Map<(typeof OPEN_STATUSES)[number], number>();
    if (pending !== undefined) oldestSinceMs.set('pending_payment', pending);
    if (active !== undefined) oldestSinceMs.set('active', active);
    return { byStatus, oldestSinceMs, earliestDeadlineMs: deadline, flagged, unclaimedWei };
  }

  private get jobs() {
    return this.connection.collection<JobRow>('jobs');
  }

  private async countByStatus(): Promise<Map<JobStatus, number>> {
    const counts = JOB_STATUSES.map(async (status) => [status, await this.jobs.countDocuments({ status })] as const);
    return new Map(await Promise.all(counts));
  }

  private async oldest(
    filter: { status: JobStatus },
    field: 'createdAt' | 'activatedAt' | 'paymentDeadlineAt',
  ): Promise<number | undefined> {
    const row = await this.jobs.findOne(filter, { sort: { [field]: 1 }, projection: { [field]: 1 } });
    return row?.[field]?.getTime();
  }

  private async countFlagged() {
    const counts = DEPOSIT_FLAGS.map(
      async (flag) => [flag, await this.jobs.countDocuments({ [`assessment.${flag}`]: true })] as const,
    );
    return new Map(await Promise.all(counts));
  }

  /** Money of jobs that ended without ever being active, and money that came to the others after their end. */
  private async sumUnclaimed() {
    const [neverActivated, afterEnd] = await Promise.all([
      this.jobs
        .aggregate<{ wei: number }>([
          {
            $match: {
              status: { $in: ['payment_expired', 'cancelled'] },
              activatedAt: { $exists: false },
              $or: [{ 'assessment.underpaid': true }, { 'assessment.late': true }],
            },
          },
          {
            $group: {
              _id: null,
              wei: { $sum: { $add: [wei('$assessment.inTimeWei'), wei('$assessment.lateWei')] } },
            },
          },
        ])
        .toArray(),
      this.jobs
        .aggregate<{ wei: number }>([
          { $match: { 'assessment.late': true, activatedAt: { $exists: true }, endedAt: { $exists: true } } },
          { $lookup: { from: 'deposits', localField: '_id', foreignField: 'jobId', as: 'deposit' } },
          { $unwind: '$deposit' },
          { $match: { $expr: { $gt: ['$deposit.blockAt', '$endedAt'] } } },
          { $group: { _id: null, wei: { $sum: wei('$deposit.amountWei') } } },
        ])
        .toArray(),
    ]);
    return new Map([
      ['never_activated', neverActivated[0]?.wei ?? 0],
      ['after_end', afterEnd[0]?.wei ?? 0],
    ] as const);
  }
}
