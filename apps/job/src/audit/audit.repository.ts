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
  /** What led to it, such as the id of an event or the name of an API key. */
  readonly cause: string;
  /** The facts of it, as plain values: amounts in wei as decimal strings. */
  readonly details?: Readonly<Record<string, string | number | boolean>>;
  /** When it happened, where that is not now: ms. */
  readonly atMs?: number;
}

export type WrittenAuditEntry = Omit<AuditEntry, 'atMs'> & { readonly at: Date };

/** An entry as it will be written, with the request that it was prepared in. */
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

/** Entries in the answer about one job: some 300 bytes each. */
const MOST_ENTRIES_TOLD = 1000;

/** The audit trail, which is a job's timeline: appended in the transaction of what it tells of, never changed. */
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
      // Ids of one process ascend, so that what happened in one transaction keeps its order.
      id: new Types.ObjectId().toHexString(),
      at: new Date(atMs ?? this.clock.now()),
      ...(requestId ? { requestId } : {}),
    };
  }

  async insert(entries: readonly PreparedEntry[], session: ClientSession): Promise<void> {
    await this.entries.insert(entries, session);
  }

  /** The newest entries of a job's timeline, oldest first: strangers can cause any number of them, and an answer holds only so many. */
  async ofJob(jobId: string): Promise<readonly WrittenAuditEntry[]> {
    const newestFirst = { at: -1, _id: -1 } as const;
    return (await this.entries.list({ jobId }, { sort: newestFirst, limit: MOST_ENTRIES_TOLD })).reverse();
  }
}
