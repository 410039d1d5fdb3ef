import { Connection } from '@maker/persistence';
import { JOB_STATUSES, type JobStatus } from '@maker/rules';
import { Injectable } from '@nestjs/common';

/** What a job's deposits can be flagged as; several can hold at once. Source: design § 4. */
export const DEPOSIT_FLAGS = ['underpaid', 'overpaid', 'late'] as const;

/** Statuses in which a job waits for something to happen. */
export const OPEN_STATUSES = ['pending_payment', 'active'] as const;

/** Whose money is on its way back or held: of jobs that never ran, or what came beside the deposit of one that did. */
export const UNCLAIMED_REASONS = ['never_activated', 'after_end'] as const;

/** When something came to a job, as its row holds it. */
type JobTimes = Partial<Record<'createdAt' | 'activatedAt' | 'paymentDeadlineAt', Date>>;

/** What the database says of all jobs together, for operators. */
export type JobStatistics = Awaited<ReturnType<JobStatisticsRepository['read']>>;

/** Reads statistics over all jobs; each is answered by an index or is about flagged jobs only. */
@Injectable()
export class JobStatisticsRepository {
  constructor(private readonly connection: Connection) {}

  /** Times in ms since 1970, amounts in wei rounded to a double. */
  async read() {
    const [byStatus, pending, active, earliestDeadlineMs, flagged, unclaimedWei, onHyperCore] = await Promise.all([
      this.countByStatus(),
      this.oldest({ status: 'pending_payment' }, 'createdAt'),
      this.oldest({ status: 'active' }, 'activatedAt'),
      this.oldest({ status: 'pending_payment' }, 'paymentDeadlineAt'),
      this.countFlagged(),
      this.sumUnclaimed(),
      this.jobs.countDocuments({ 'hyperCore.found': true }),
    ]);
    const oldestSinceMs = { pending_payment: pending, active };
    return { byStatus, oldestSinceMs, earliestDeadlineMs, flagged, unclaimedWei, onHyperCore };
  }

  private get jobs() {
    return this.connection.collection<JobTimes & { status: JobStatus }>('jobs');
  }

  private async countByStatus(): Promise<Map<JobStatus, number>> {
    const counts = JOB_STATUSES.map(async (status) => [status, await this.jobs.countDocuments({ status })] as const);
    return new Map(await Promise.all(counts));
  }

  private async oldest(filter: { status: JobStatus }, field: keyof JobTimes): Promise<number | undefined> {
    const row = await this.jobs.findOne(filter, { sort: { [field]: 1 }, projection: { [field]: 1 } });
    return row?.[field]?.getTime();
  }

  private async countFlagged() {
    const counts = DEPOSIT_FLAGS.map(
      async (flag) => [flag, await this.jobs.countDocuments({ [`assessment.${flag}`]: true })] as const,
    );
    return new Map(await Promise.all(counts));
  }

  /** Money that pays for no order and has not gone back yet. */
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
