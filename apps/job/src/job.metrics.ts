import { Connection, onCommit } from '@maker/persistence';
import { canTransition, JOB_STATUSES } from '@maker/rules';
import {
  Clock,
  counter,
  declareMetrics,
  histogram,
  MetricsRegistry,
  reading,
  readings,
  sharedReading,
} from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { Registry } from 'prom-client';
import { DEPOSIT_KINDS, type Deposit } from './deposit/deposit.ts';
import { CapacityRepository } from './job/capacity.repository.ts';
import type { JobChange } from './job/job-change.ts';
import {
  DEPOSIT_FLAGS,
  type JobStatistics,
  JobStatisticsRepository,
  OPEN_STATUSES,
  UNCLAIMED_REASONS,
} from './job/job-statistics.repository.ts';

/** The allowed transitions: only they have a series. */
const TRANSITIONS = JOB_STATUSES.flatMap((from) =>
  JOB_STATUSES.filter((to) => canTransition(from, to)).map((to) => ({ from, to })),
);

/** Reason of a refused job, by the code of the refusal. */
const REFUSALS = {
  TOKEN_NOT_TRADABLE: 'token',
  AMOUNT_OUT_OF_RANGE: 'amount',
  NO_CAPACITY: 'capacity',
  TOO_MANY_OPEN_JOBS: 'unpaid',
} as const;
const REFUSED_FOR = [...Object.values(REFUSALS), 'outage'] as const;

const RESOURCES = ['gas', 'requests'] as const;

/** Metrics of jobs, for operators. */
@Injectable()
export class JobMetrics {
  private readonly metrics;
  /** Counts that wait for the commit of their transaction, so that an aborted or repeated transaction does not count twice. */
  private readonly uncommitted = new WeakMap<ClientSession, () => void>();

  constructor(
    registry: MetricsRegistry,
    clock: Clock,
    statistics: JobStatisticsRepository,
    capacity: CapacityRepository,
    connection: Connection,
  ) {
    this.metrics = declareMetrics(registry, {
      maker_job_transitions_total: counter(
        'Changes of status, by the status before and after.',
        { from: JOB_STATUSES, to: JOB_STATUSES },
        TRANSITIONS,
      ),
      maker_job_created_total: counter('Jobs created.'),
      maker_job_creations_refused_total: counter(
        'Creations refused because a wallet ahead of the address counter was in use.',
      ),
      maker_job_refusals_total: counter(
        'Refused jobs, by reason: the token, the amount, no free capacity, too many unpaid jobs, or an outage of a service ' +
          'that is needed.',
        { reason: REFUSED_FOR },
      ),
      maker_job_deposits_total: counter('Credited deposits, by kind.', { kind: DEPOSIT_KINDS }),
      maker_job_time_to_active_seconds: histogram(
        'Time from the creation of a job to its activation.',
        [5, 15, 30, 60, 120, 300, 600, 900, 1800, 3600],
      ),
      maker_job_booked_ratio: readings(
        'Share of the capacity of all jobs that paid jobs have booked: gas of small blocks, and requests to RPC endpoints.',
        'resource',
        RESOURCES,
        async () => {
          const [booked, whole] = await Promise.all([capacity.booked(), capacity.whole()]);
          return new Map([
            ['gas', ratio(booked.gasPerSecond, whole.gasPerSecond)],
            ['requests', ratio(booked.requestsPerHour, whole.requestsPerHour)],
          ] as const);
        },
      ),
    });
    declareStatistics(registry, () => clock.now(), statistics);
    onCommit(connection, (session) => {
      this.uncommitted.get(session)?.();
      this.uncommitted.delete(session);
    });
  }

  jobCreated(): void {
    this.metrics.maker_job_created_total.inc();
  }

  /** Counts a refused job. @param code of the refusal */
  jobRefused(code: string): void {
    this.metrics.maker_job_refusals_total.inc({
      reason: Object.hasOwn(REFUSALS, code) ? REFUSALS[code as keyof typeof REFUSALS] : 'outage',
    });
  }

  /** Counts a creation that was refused because a wallet ahead of the address counter is in use. */
  walletCounterBehind(): void {
    this.metrics.maker_job_creations_refused_total.inc();
  }

  /** Counts a deposit once its transaction is committed. */
  depositOnCommit(kind: Deposit['kind'], session: ClientSession): void {
    this.uncommitted.set(session, () => this.metrics.maker_job_deposits_total.inc({ kind }));
  }

  /** Counts a change of status once its transaction is committed, together with the deposit that led to it. */
  transitionOnCommit({ after, transition }: JobChange, session: ClientSession): void {
    if (!transition) return;
    const deposit = this.uncommitted.get(session);
    this.uncommitted.set(session, () => {
      deposit?.();
      this.metrics.maker_job_transitions_total.inc({ from: transition.from, to: transition.to });
      if (transition.to !== 'active' || after.activatedAtMs === undefined) return;
      this.metrics.maker_job_time_to_active_seconds.observe({}, (after.activatedAtMs - after.createdAtMs) / 1000);
    });
  }
}

function ratio(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number(part) / Number(whole);
}

function declareStatistics(registry: Registry, now: () => number, repository: JobStatisticsRepository): void {
  const statistics = sharedReading(() => repository.read());
  const shown =
    <Key extends keyof JobStatistics>(key: Key) =>
    async () =>
      (await statistics())[key];
  const secondsSince = (sinceMs: number | undefined) =>
    sinceMs === undefined ? 0 : Math.max(0, now() - sinceMs) / 1000;
  declareMetrics(registry, {
    maker_job_jobs: readings('Jobs in the database, by status.', 'status', JOB_STATUSES, shown('byStatus')),
    maker_job_oldest_seconds: readings(
      'Age of the oldest open job: since its creation while it waits for payment, since its activation while active.',
      'status',
      OPEN_STATUSES,
      async () => {
        const { oldestSinceMs } = await statistics();
        return new Map(OPEN_STATUSES.map((status) => [status, secondsSince(oldestSinceMs[status])] as const));
      },
    ),
    maker_job_past_deadline_seconds: reading(
      'Time since the earliest passed deadline of jobs that still wait for payment; 0 if none has passed.',
      async () => secondsSince((await statistics()).earliestDeadlineMs),
    ),
    maker_job_flagged_jobs: readings(
      'Jobs whose deposits are underpaid, overpaid or late; one job may have several flags.',
      'flag',
      DEPOSIT_FLAGS,
      shown('flagged'),
    ),
    maker_job_hypercore_jobs: reading(
      'Jobs with HYPE at their address on HyperCore, by the last search.',
      async () => (await statistics()).onHyperCore,
    ),
    maker_job_unclaimed_wei: readings(
      'Money in wei (rounded to a double) that pays for no order and is not refunded yet: of jobs that were never active, ' +
        'or beyond the payment of an active or ended job.',
      'reason',
      UNCLAIMED_REASONS,
      shown('unclaimedWei'),
    ),
  });
}
