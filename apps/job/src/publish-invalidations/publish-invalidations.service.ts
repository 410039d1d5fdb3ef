import { randomUUID } from 'node:crypto';
import { JOB_CHANGES_BEAT_MS, JOB_CHANGES_SUBJECT, type JobChanges } from '@maker/contracts';
import { NATS_CONNECTION } from '@maker/messaging';
import { Logger, PeriodicTask } from '@maker/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { JobsRepository } from '../job/jobs.repository.ts';

/** After a feed broke, ms. */
const RETRY_MS = 1000;

/**
 * Tells every gateway which jobs were written, by any replica, as the database's own log has it: what a gateway holds in memory is
 * right until then, and it knows when it cannot rely on that. Nothing is lost for good with a message: who misses one asks.
 * Source: docs/adr/0031.
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
    this.task = new PeriodicTask('feed of changes', RETRY_MS, logger, () => this.tell());
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.task.stop();
  }

  /** One feed, until the shutdown or until the database's log cannot be followed any more. */
  private async tell(): Promise<void> {
    const changes = this.jobs.changes(JOB_CHANGES_BEAT_MS);
    const feed = randomUUID();
    let sequence = 0;
    try {
      while (!this.stopping) {
        const askedAt = performance.now();
        const change = await changes.next();
        const message: JobChanges = {
          feed,
          sequence,
          jobIds: change ? [change.jobId] : [],
          statusChanged: change?.statusChanged ?? false,
          ageMs: ageOf(performance.now() - askedAt, change !== undefined),
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
 * How old an answer of the database's log is by the time that it is read: no more than it took; and less the wait, where the log
 * waited for a change until the end of it and there was none. @param tookMs from the question on, ms
 */
function ageOf(tookMs: number, hasChange: boolean): number {
  return hasChange || tookMs < JOB_CHANGES_BEAT_MS ? tookMs : tookMs - JOB_CHANGES_BEAT_MS;
}
