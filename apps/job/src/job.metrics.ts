import { MONGO_CONNECTION, onCommit } from '@maker/persistence';
import type { JobStatus } from '@maker/rules';
import { Clock, MetricsRegistry } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { ClientSession, Connection } from 'mongoose';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { JobChange } from './job-change.ts';
import { JobsRepository } from './jobs.repository.ts';

/** How long counted jobs by status are served to further scrapes, ms. */
const COUNT_AGE_MS = 5000;

/** What an operator sees of the jobs. */
@Injectable()
export class JobMetrics {
  private readonly transitions: Counter<'from' | 'to'>;
  private readonly created: Counter;
  private readonly deposits: Counter<'kind'>;
  private readonly timeToActive: Histogram;
  /** Counted when their transaction is committed: one that is undone, or run again, must not count twice. */
  private readonly uncommitted = new WeakMap<ClientSession, () => void>();

  constructor(
    registry: MetricsRegistry,
    clock: Clock,
    jobs: JobsRepository,
    @Inject(MONGO_CONNECTION) connection: Connection,
  ) {
    const registers = [registry];
    this.transitions = new Counter({
      name: 'maker_job_transitions_total',
      help: 'Changes of status, by the status before and after.',
      labelNames: ['from', 'to'],
      registers,
    });
    this.created = new Counter({ name: 'maker_job_created_total', help: 'Jobs created.', registers });
    this.deposits = new Counter({
      name: 'maker_job_deposits_total',
      help: 'Deposits credited, by how the money came.',
      labelNames: ['kind'],
      registers,
    });
    this.timeToActive = new Histogram({
      name: 'maker_job_time_to_active_seconds',
      help: 'From the creation of a job to its activation.',
      buckets: [5, 15, 30, 60, 120, 300, 600, 900, 1800, 3600],
      registers,
    });
    const countByStatus = recentCounts(jobs, clock);
    new Gauge({
      name: 'maker_job_jobs',
      help: 'Jobs by status, as the database has them.',
      labelNames: ['status'],
      registers,
      async collect() {
        for (const [status, count] of await countByStatus()) this.set({ status }, count);
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

  /** Counts a deposit once its transaction is committed. */
  depositOnCommit(kind: string, session: ClientSession): void {
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
      this.timeToActive.observe((after.activatedAtMs - after.createdAtMs) / 1000);
    });
  }
}

/** Counts again only after some seconds, however many scrapers there are. */
function recentCounts(jobs: JobsRepository, clock: Clock): () => Promise<ReadonlyMap<JobStatus, number>> {
  let counts: Promise<ReadonlyMap<JobStatus, number>> | undefined;
  let countedAtMs = 0;
  return () => {
    if (counts && clock.now() - countedAtMs < COUNT_AGE_MS) return counts;
    countedAtMs = clock.now();
    counts = jobs.countByStatus();
    counts.catch(() => {
      counts = undefined;
    });
    return counts;
  };
}
