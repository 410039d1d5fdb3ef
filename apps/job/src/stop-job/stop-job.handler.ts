import { jobCancelRequested, type StopJobResponse, stopJob as stopJobRequest } from '@maker/contracts';
import { HandleRequest, Outbox } from '@maker/messaging';
import { Connection, inTransaction } from '@maker/persistence';
import { Clock } from '@maker/service-kit';
import { stopProof } from '@maker/signing/commands';
import { Controller } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { ApplyChangeService } from '../apply-change/apply-change.service.ts';
import { AuditRepository } from '../audit/audit.repository.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { Payers } from '../job/payers.ts';
import { stopJob } from './stop-job.ts';

const CAUSE = 'its payer stopped it';

/** Answers `job.stop`: ends the job for a payer, who proves the right by the stop secret only. */
@Controller()
export class StopJobHandler {
  constructor(
    private readonly connection: Connection,
    private readonly jobs: JobsRepository,
    private readonly payers: Payers,
    private readonly changes: ApplyChangeService,
    private readonly audit: AuditRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** @throws NotThePayer */
  @HandleRequest(stopJobRequest)
  async stop({ jobId, stopSecret }: z.output<typeof stopJobRequest.request>): Promise<StopJobResponse> {
    await this.payers.jobOf(jobId, stopSecret);
    return inTransaction(this.connection, (session) => this.end(jobId, stopProof(stopSecret), session));
  }

  private async end(jobId: string, proof: string, session: ClientSession): Promise<StopJobResponse> {
    const job = await this.jobs.get(jobId, session);
    const stop = stopJob(job, this.clock.now());
    if (stop.kind === 'ending') {
      await this.audit.append({ jobId, action: 'job.stop_requested', cause: CAUSE }, session);
      await this.outbox.record(jobCancelRequested, { jobId, data: { stopProof: proof } }, session);
    }
    if ('change' in stop) await this.changes.apply(stop.change, CAUSE, session);
    if (stop.kind === 'ending' || stop.kind === 'ending_already') {
      return {
        status: job.status,
        outcome: 'No more orders are placed. The bought tokens are delivered, and the unspent HYPE is returned.',
      };
    }
    const status = stop.kind === 'cancelled' ? stop.change.after.status : job.status;
    return { status, outcome: 'The job has ended. HYPE that was not spent is returned.' };
  }
}
