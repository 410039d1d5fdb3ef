import { Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import type { JobStatus } from '@maker/rules';
import { Clock, currentRequestId } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { type ClientSession, Schema, Types } from 'mongoose';

export interface AuditEntry {
  readonly jobId: string;
  /** What happened, such as `deposit.credited`, `transfer.settled` or `operator.pause`. */
  readonly action: string;
  readonly from?: JobStatus;
  readonly to?: JobStatus;
  /** Cause of the entry, such as the id of an event or the name of an API key. */
  readonly cause: string;
  /** Details as plain values: amounts in wei as decimal strings. */
  readonly details?: Readonly<Record<string, string | number | boolean>>;
  /** Time of the entry, ms. @default now */
  readonly atMs?: number;
}

export type WrittenAuditEntry = Omit<AuditEntry, 'atMs'> & { readonly at: Date };

/** An entry as it will be written, with the id of the request that caused it. */
interface PreparedEntry extends WrittenAuditEntry {
  readonly id: string;
  readonly requestId?: string;
}

const schema = new EntitySchema<PreparedEntry>('audit_entries', {
  jobId: String,
  action: String,
  from: String,
  to: String,
  cause: String,
  details: Schema.Types.Mixed,
  at: Date,
  requestId: String,
}).index({ jobId: 1, at: 1, _id: 1 });

/** Most entries in the answer about one job: about 300 bytes each. */
const MOST_ENTRIES_LISTED = 1000;

/** The audit trail, which is a job's timeline. Entries are added in the transaction of the change, and never changed. */
@Injectable()
export class AuditRepository {
  private readonly entries: EntityCollection<PreparedEntry>;

  constructor(
    connection: Connection,
    private readonly clock: Clock,
  ) {
    this.entries = new EntityCollection(connection, schema);
  }

  async append(entry: AuditEntry, session: ClientSession): Promise<void> {
    await this.insert([this.prepare(entry)], session);
  }

  prepare(entry: AuditEntry): PreparedEntry {
    const requestId = currentRequestId();
    const { atMs, ...same } = entry;
    return {
      ...same,
      // Ids of one process ascend, so that entries of one transaction keep their order.
      id: new Types.ObjectId().toHexString(),
      at: new Date(atMs ?? this.clock.now()),
      ...(requestId ? { requestId } : {}),
    };
  }

  async insert(entries: readonly PreparedEntry[], session: ClientSession): Promise<void> {
    await this.entries.insert(entries, session);
  }

  /** The newest entries of a job's timeline, oldest first. Strangers can cause any number, and the size of an answer is limited. */
  async ofJob(jobId: string): Promise<readonly WrittenAuditEntry[]> {
    const newestFirst = { at: -1, _id: -1 } as const;
    return (await this.entries.list({ jobId }, { sort: newestFirst, limit: MOST_ENTRIES_LISTED })).reverse();
  }
}
