import { randomUUID } from 'node:crypto';
import { JOB_CHANGES_BEAT_MS, JOB_CHANGES_SUBJECT, type JobChanges } from '@maker/contracts';
import { NATS_CONNECTION } from '@maker/messaging';
import { Logger, PeriodicTask } from '@maker/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { JobsRepository } from '../job/jobs.repository.ts';

/** Time until a new feed after a failure, ms. */
const RETRY_MS = 1000;

/**
 * Publishes to every gateway the jobs that any replica wrote, from the database's change stream. A gateway's cached copy is valid
 * until then. A gateway that misses a message notices the gap and reads the jobs again. Source: docs/adr/0031.
 */
@Injectable()
export class PublishInvalidationsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task: PeriodicTask;
  private stopping = false;

  constructor(
    private readonly jobs: JobsRepository,
    @Inject(NATS_CONNECTION) private readonly nats: { publish(subject: string, body: string): void },
    logger: Logger,
  ) {
    this.task = new PeriodicTask('feed of changes', RETRY_MS, logger, (cameRound) => this.publish(cameRound));
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.task.stop();
  }

  /** Publishes one feed, until the shutdown or the end of the change stream. */
  private async publish(cameRound: () => void): Promise<void> {
    const changes = this.jobs.changes(JOB_CHANGES_BEAT_MS);
    const feed = randomUUID();
    let sequence = 0;
    try {
      while (!this.stopping) {
        cameRound();
        const requestedAt = performance.now();
        const change = await changes.next();
        const message: JobChanges = {
          feed,
          sequence,
          jobIds: change ? [change.jobId] : [],
          statusChanged: change?.statusChanged ?? false,
          ageMs: ageOf(performance.now() - requestedAt, change !== undefined),
        };
        this.nats.publish(JOB_CHANGES_SUBJECT, JSON.stringify(message));
        sequence += 1;
      }
    } finally {
      await changes.close();
    }
  }
}

/**
 * Age of an answer of the change stream, ms: at most the time it took. Without a change, the database waited the whole
 * `JOB_CHANGES_BEAT_MS` and answered then, so that wait does not count. @param tookMs time since the request, ms
 */
function ageOf(tookMs: number, hasChange: boolean): number {
  return hasChange || tookMs < JOB_CHANGES_BEAT_MS ? tookMs : tookMs - JOB_CHANGES_BEAT_MS;
}
