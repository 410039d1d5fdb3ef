import { MONGO_CONNECTION, onCommit } from '@maker/persistence';
import { canTransition, JOB_STATUSES } from '@maker/rules';
import {
  Clock,
  type DeclaredHistogram,
  declareCounter,
  declareHistogram,
  declareReading,
  declareReadings,
  MetricsRegistry,
  sharedReading,
} from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { ClientSession, Connection } from 'mongoose';
import type { Counter, Registry } from 'prom-client';
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

/** The transitions that exist: no other series can. */
const TRANSITIONS = JOB_STATUSES.flatMap((from) =>
  JOB_STATUSES.filter((to) => canTransition(from, to)).map((to) => ({ from, to })),
);

/** Why a job that was asked for is not taken, by the code of the refusal. */
const REFUSALS = {
  TOKEN_NOT_TRADABLE: 'token',
  AMOUNT_OUT_OF_RANGE: 'amount',
  NO_CAPACITY: 'capacity',
  TOO_MANY_OPEN_JOBS: 'unpaid',
} as const;
const REFUSED_FOR = [...Object.values(REFUSALS), 'outage'] as const;

/** What all jobs share. */
const RESOURCES = ['gas', 'requests'] as const;

/** What an operator sees of the jobs. */
@Injectable()
export class JobMetrics {
  private readonly transitions: Counter<'from' | 'to'>;
  private readonly created: Counter;
  private readonly creationsRefused: Counter;
  private readonly refused: Counter<'reason'>;
  private readonly deposits: Counter<'kind'>;
  private readonly timeToActive: DeclaredHistogram;
  /** Counted when their transaction is committed: one that is undone, or run again, must not count twice. */
  private readonly uncommitted = new WeakMap<ClientSession, () => void>();

  constructor(
    registry: MetricsRegistry,
    clock: Clock,
    statistics: JobStatisticsRepository,
    capacity: CapacityRepository,
    @Inject(MONGO_CONNECTION) connection: Connection,
  ) {
    this.transitions = declareCounter(registry, {
      name: 'maker_job_transitions_total',
      help: 'Changes of status, by the status before and after.',
      labels: { from: JOB_STATUSES, to: JOB_STATUSES },
      initial: TRANSITIONS,
    });
    this.created = declareCounter(registry, { name: 'maker_job_created_total', help: 'Jobs created.' });
    this.creationsRefused = declareCounter(registry, {
      name: 'maker_job_creations_refused_total',
      help: 'Times that no job could be created since a wallet ahead of the address counter was in use.',
    });
    this.refused = declareCounter(registry, {
      name: 'maker_job_refusals_total',
      help:
        'Jobs that were asked for and not taken, by reason: the token, the amount, capacity that is booked, too many that are not paid, or ' +
        'an outage of who could tell.',
      labels: { reason: REFUSED_FOR },
    });
    this.deposits = declareCounter(registry, {
      name: 'maker_job_deposits_total',
      help: 'Deposits credited, by how the money came.',
      labels: { kind: DEPOSIT_KINDS },
    });
    this.timeToActive = declareHistogram(registry, {
      name: 'maker_job_time_to_active_seconds',
      help: 'From the creation of a job to its activation.',
      buckets: [5, 15, 30, 60, 120, 300, 600, 900, 1800, 3600],
    });
    declareStatistics(registry, () => clock.now(), statistics);
    declareReadings(registry, {
      name: 'maker_job_booked_ratio',
      help:
        'Part of what all jobs together may use that those which trade have booked until their ends: gas of small blocks, and ' +
        'requests to RPC endpoints.',
      label: 'resource',
      values: RESOURCES,
      read: async () => {
        const { booked, whole } = await capacity.read();
        return new Map([
          ['gas', ratio(booked.gasPerSecond, whole.gasPerSecond)],
          ['requests', ratio(booked.requestsPerHour, whole.requestsPerHour)],
        ] as const);
      },
    });
    onCommit(connection, (session) => {
      this.uncommitted.get(session)?.();
      this.uncommitted.delete(session);
    });
  }

  /** A job was created and committed. */
  jobCreated(): void {
    this.created.inc();
  }

  /** A job that was asked for is not taken. @param code of the refusal */
  jobRefused(code: string): void {
    this.refused.inc({ reason: Object.hasOwn(REFUSALS, code) ? REFUSALS[code as keyof typeof REFUSALS] : 'outage' });
  }

  /** The address counter stands before a wallet that was used. */
  walletCounterBehind(): void {
    this.creationsRefused.inc();
  }

  /** Counts a deposit once its transaction is committed. */
  depositOnCommit(kind: Deposit['kind'], session: ClientSession): void {
    this.uncommitted.set(session, () => this.deposits.inc({ kind }));
  }

  /** Counts a change of status once its transaction is committed, together with the deposit that led to it. */
  transitionOnCommit({ after, transition }: JobChange, session: ClientSession): void {
    if (!transition) return;
    const deposit = this.uncommitted.get(session);
    this.uncommitted.set(session, () => {
      deposit?.();
      this.transitions.inc({ from: transition.from, to: transition.to });
      if (transition.to !== 'active' || after.activatedAtMs === undefined) return;
      this.timeToActive.observe({}, (after.activatedAtMs - after.createdAtMs) / 1000);
    });
  }
}

function ratio(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number(part) / Number(whole);
}

function declareStatistics(registry: Registry, now: () => number, repository: JobStatisticsRepository): void {
  const statistics = sharedReading(() => repository.read(), now);
  const shown =
    <Key extends keyof JobStatistics>(key: Key) =>
    async () =>
      (await statistics())[key];
  const secondsSince = (sinceMs: number | undefined) =>
    sinceMs === undefined ? 0 : Math.max(0, now() - sinceMs) / 1000;
  declareReadings(registry, {
    name: 'maker_job_jobs',
    help: 'Jobs by status, as the database has them.',
    label: 'status',
    values: JOB_STATUSES,
    read: shown('byStatus'),
  });
  declareReadings(registry, {
    name: 'maker_job_oldest_seconds',
    help: 'Age of the oldest open job: since its creation while it waits for payment, since its activation while active.',
    label: 'status',
    values: OPEN_STATUSES,
    read: async () => {
      const { oldestSinceMs } = await statistics();
      return new Map(OPEN_STATUSES.map((status) => [status, secondsSince(oldestSinceMs.get(status))] as const));
    },
  });
  declareReading(registry, {
    name: 'maker_job_past_deadline_seconds',
    help: 'How long ago the earliest deadline among jobs that still wait for payment was; 0 when none has passed.',
    read: async () => secondsSince((await statistics()).earliestDeadlineMs),
  });
  declareReadings(registry, {
    name: 'maker_job_flagged_jobs',
    help: 'Jobs whose deposits are underpaid, overpaid or late; several can hold for one job.',
    label: 'flag',
    values: DEPOSIT_FLAGS,
    read: shown('flagged'),
  });
  declareReading(registry, {
    name: 'maker_job_hypercore_jobs',
    help: 'Jobs to whose address HYPE was sent on HyperCore, where the last look found it.',
    read: async () => (await statistics()).onHyperCore,
  });
  declareReadings(registry, {
    name: 'maker_job_unclaimed_wei',
    help:
      'Money in wei (rounded to a double) that pays for no order and has not gone back yet, on its way or held: of jobs ' +
      'that were never active, or beside and after the deposit of one that was.',
    label: 'reason',
    values: UNCLAIMED_REASONS,
    read: shown('unclaimedWei'),
  });
}
