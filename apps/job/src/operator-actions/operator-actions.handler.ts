import { listOperatorActions, recordOperatorAction } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { Connection, inTransaction } from '@maker/persistence';
import { Clock } from '@maker/service-kit';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { AuditRepository } from '../audit/audit.repository.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { OperatorActionsRepository } from './operator-actions.repository.ts';

/** Keeps the operators' audit log: who commanded what of which job, why, and how it ended; and who asked for what. */
@Controller()
export class OperatorActionsHandler {
  constructor(
    private readonly connection: Connection,
    private readonly jobs: JobsRepository,
    private readonly actions: OperatorActionsRepository,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws JobNotFound, with nothing written: a command about no job is none */
  @HandleRequest(recordOperatorAction)
  async record(entry: z.output<typeof recordOperatorAction.request>) {
    const { jobId, kind, operator, reason, to, outcome } = entry;
    if (jobId !== undefined) await this.jobs.get(jobId);
    await inTransaction(this.connection, async (session) => {
      await this.actions.append(entry, new Date(this.clock.now()), session);
      // Nothing happens to a job that is asked about.
      if (jobId === undefined || kind === 'looked_up') return;
      const details = { kind, ...(reason && { reason }), ...(to && { to }), ...(outcome && { outcome }) };
      const action = `operator.${entry.action}`;
      await this.audit.append({ jobId, action, cause: `api key ${operator}`, details }, session);
    });
    return {};
  }

  @HandleRequest(listOperatorActions)
  async list({ limit }: { limit: number }) {
    return { actions: await this.actions.list(limit) };
  }
}
