import { executionPaused, executionResumed } from '@maker/contracts';
import { Outbox } from '@maker/messaging';
import type { PauseReason } from '@maker/rules';
import { Logger } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { ExecutionWriter } from '../execution/execution-writer.ts';
import type { LeasedExecution } from '../execution/leased-execution.ts';
import { PausesRepository } from './pauses.repository.ts';

/** Pauses and resumes executions, with one event for each change. Source: design § 4. */
@Injectable()
export class PauseControl {
  constructor(
    private readonly writer: ExecutionWriter,
    private readonly outbox: Outbox,
    private readonly log: PausesRepository,
    private readonly logger: Logger,
  ) {}

  /** Makes an execution wait for a reason, or go on where there is none; does nothing where that is so already. */
  async set(leased: LeasedExecution, reason: PauseReason | undefined): Promise<LeasedExecution> {
    const { id: jobId, paused, revision } = leased.execution;
    if (paused?.reason === reason) return leased;
    const now = new Date(leased.head.timestampMs);
    const next = reason === undefined ? null : { reason, since: now };
    const after = await this.writer.write(leased, { paused: next }, async (session) => {
      if (paused) {
        await this.log.end(jobId, now, session);
        await this.outbox.record(executionResumed, { jobId, data: { reason: paused.reason } }, session);
      }
      if (next) {
        await this.log.begin({ id: `${jobId}/pause/${revision}`, jobId, ...next }, session);
        await this.outbox.record(executionPaused, { jobId, data: { reason: next.reason } }, session);
      }
    });
    this.logger.info({ jobId, before: paused?.reason ?? null, after: reason ?? null }, 'pause changed');
    return after;
  }
}
