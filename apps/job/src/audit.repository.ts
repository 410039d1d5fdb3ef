import { randomUUID } from 'node:crypto';
import { MONGO_CONNECTION } from '@maker/persistence';
import type { JobStatus } from '@maker/rules';
import { Clock, currentRequestId } from '@maker/service-kit';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type ClientSession, type Connection, type Model, Schema } from 'mongoose';

/** One line of a job's audit trail. */
export interface AuditEntry {
  readonly jobId: string;
  /** `job.created`, `deposit.credited` or `job.status_changed`. */
  readonly action: string;
  readonly from?: JobStatus;
  readonly to?: JobStatus;
  /** What led to it, such as the id of an event or the name of an API key. */
  readonly cause: string;
}

interface AuditRow extends AuditEntry {
  _id: string;
  at: Date;
  requestId?: string;
}

const auditRowSchema = new Schema<AuditRow>(
  {
    _id: String,
    jobId: String,
    action: String,
    from: String,
    to: String,
    cause: String,
    at: Date,
    requestId: String,
  },
  { collection: 'audit_entries', versionKey: false },
).index({ jobId: 1, at: 1 });

/** The audit trail: appended in the transaction of what it tells of, never changed. */
@Injectable()
export class AuditRepository implements OnModuleInit {
  private readonly entries: Model<AuditRow>;

  constructor(
    @Inject(MONGO_CONNECTION) connection: Connection,
    private readonly clock: Clock,
  ) {
    this.entries = connection.model<AuditRow>('AuditEntry', auditRowSchema);
  }

  async onModuleInit(): Promise<void> {
    await this.entries.createIndexes();
  }

  async append(entry: AuditEntry, session: ClientSession): Promise<void> {
    const requestId = currentRequestId();
    const row = { ...entry, _id: randomUUID(), at: new Date(this.clock.now()), ...(requestId ? { requestId } : {}) };
    await this.entries.create([row], { session });
  }
}
