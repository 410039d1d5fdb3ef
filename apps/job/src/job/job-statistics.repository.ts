import { Connection } from '@maker/persistence';
import { JOB_STATUSES, type JobStatus } from '@maker/rules';
import { Injectable } from '@nestjs/common';

/** Flags of a job's deposits; a job may have several. Source: design § 4. */
export const DEPOSIT_FLAGS = ['underpaid', 'overpaid', 'late'] as const;

/** Statuses of jobs that have not ended. */
export const OPEN_STATUSES = ['pending_payment', 'active'] as const;

/** Groups of money to refund: of jobs that were never active, and money beyond the payment of an activated job. */
export const UNCLAIMED_REASONS = ['never_activated', 'after_end'] as const;

/** Times in the row of a job. */
type JobTimes = Partial<Record<'createdAt' | 'activatedAt' | 'paymentDeadlineAt', Date>>;

/** Statistics over all jobs, for operators. */
export type JobStatistics = Awaited<ReturnType<JobStatisticsRepository['read']>>;

/** Reads statistics over all jobs. Each query uses an index or reads flagged jobs only. */
@Injectable()
export class JobStatisticsRepository {
  constructor(private readonly connection: Connection) {}

  /**
   * @returns times in ms since 1970, amounts in wei rounded to a double. `oldestSinceMs`: creation of the oldest unpaid job, activation of
   * the oldest active one; `earliestDeadlineMs`: of unpaid jobs; `onHyperCore`: jobs with HYPE at their address on HyperCore
   */
  async read() {
    const [byStatus, pending, active, earliestDeadlineMs, flagged, unclaimedWei, onHyperCore] = await Promise.all([
      this.countEach(JOB_STATUSES, (status) => ({ status })),
      this.oldest({ status: 'pending_payment' }, 'createdAt'),
      this.oldest({ status: 'active' }, 'activatedAt'),
      this.oldest({ status: 'pending_payment' }, 'paymentDeadlineAt'),
      this.countEach(DEPOSIT_FLAGS, (flag) => ({ [`assessment.${flag}`]: true })),
      this.sumUnclaimed(),
      this.jobs.countDocuments({ 'hyperCore.found': true }),
    ]);
    const oldestSinceMs = { pending_payment: pending, active };
    return { byStatus, oldestSinceMs, earliestDeadlineMs, flagged, unclaimedWei, onHyperCore };
  }

  private get jobs() {
    return this.connection.collection<JobTimes & { status: JobStatus }>('jobs');
  }

  private async countEach<Key>(keys: readonly Key[], filterOf: (key: Key) => object) {
    const counts = keys.map(async (key) => [key, await this.jobs.countDocuments(filterOf(key))] as const);
    return new Map(await Promise.all(counts));
  }

  private async oldest(filter: { status: JobStatus }, field: keyof JobTimes): Promise<number | undefined> {
    const row = await this.jobs.findOne(filter, { sort: { [field]: 1 }, projection: { [field]: 1 } });
    return row?.[field]?.getTime();
  }

  /** Sums of refunds that are due or held. */
  private async sumUnclaimed() {
    const sums = await this.connection
      .collection('returns')
      .aggregate<{ _id: boolean; wei: number }>([
        { $match: { status: { $in: ['due', 'held'] } } },
        { $group: { _id: '$activated', wei: { $sum: { $toDouble: '$amountWei' } } } },
      ])
      .toArray();
    const of = (activated: boolean) => sums.find(({ _id }) => _id === activated)?.wei ?? 0;
    return new Map([
      ['never_activated', of(false)],
      ['after_end', of(true)],
    ] as const);
  }
}
