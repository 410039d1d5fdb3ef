import { listOperatorActions, type OperatorActionEntry, recordOperatorAction } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { Connection, EntityCollection, EntitySchema, inTransaction } from '@maker/persistence';
import { Clock } from '@maker/service-kit';
import { Controller } from '@nestjs/common';
import { Types } from 'mongoose';
import type { z } from 'zod';
import { AuditRepository } from '../audit/audit.repository.ts';
import { JobsRepository } from '../job/jobs.repository.ts';

type OperatorAction = Omit<OperatorActionEntry, 'at'> & { readonly id: string; readonly at: Date };

const schema = new EntitySchema<OperatorAction>('operator_actions', {
  actionId: String,
  kind: String,
  action: String,
  jobId: String,
  operator: String,
  reason: String,
  to: String,
  outcome: String,
  at: Date,
})
  .index({ at: -1 })
  .index({ actionId: 1, kind: 1 }, { unique: true });

/** Keeps the operators' audit log of commands, their reasons and ends, and of queries. Lines are added and never changed. */
@Controller()
export class OperatorActionsHandler {
  private readonly actions: EntityCollection<OperatorAction>;

  constructor(
    private readonly connection: Connection,
    private readonly jobs: JobsRepository,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
  ) {
    this.actions = new EntityCollection(connection, schema);
  }

  /** @throws JobNotFound without writing a line: a command needs an existing job */
  @HandleRequest(recordOperatorAction)
  async record(entry: z.output<typeof recordOperatorAction.request>) {
    const { jobId, kind, operator, reason, to, outcome } = entry;
    if (jobId !== undefined) await this.jobs.get(jobId);
    await inTransaction(this.connection, async (session) => {
      const at = new Date(this.clock.now());
      await this.actions.insert([{ ...entry, id: new Types.ObjectId().toHexString(), at }], session);
      // A query does not change the job, so its timeline gets no entry.
      if (jobId === undefined || kind === 'looked_up') return;
      const details = { kind, ...(reason && { reason }), ...(to && { to }), ...(outcome && { outcome }) };
      const action = `operator.${entry.action}`;
      await this.audit.append({ jobId, action, cause: `api key ${operator}`, details }, session);
    });
    return {};
  }

  @HandleRequest(listOperatorActions)
  async list({ limit }: { limit: number }) {
    const newestFirst = { at: -1, _id: -1 } as const;
    const actions = await this.actions.list({}, { sort: newestFirst, limit });
    return { actions: actions.map(({ id: _, at, ...same }) => ({ ...same, at: at.toISOString() })) };
  }
}
