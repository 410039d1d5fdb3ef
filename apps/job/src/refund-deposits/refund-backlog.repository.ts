import { Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';

interface Backlog {
  readonly jobId: string;
  readonly since: Date;
}

const schema = new EntitySchema<Backlog, 'jobId'>('refund_backlog', { since: Date }, 'jobId').index({ since: 1 });

/** Jobs with more deposits to refund than one transaction takes, in MongoDB. */
@Injectable()
export class RefundBacklogRepository {
  private readonly backlog: EntityCollection<Backlog, 'jobId'>;

  constructor(connection: Connection) {
    this.backlog = new EntityCollection(connection, schema);
  }

  async has(jobId: string, session: ClientSession): Promise<boolean> {
    return (await this.backlog.rows.exists({ _id: jobId }).session(session)) !== null;
  }

  /** Puts a job at the end of the queue. */
  async queue(jobId: string, session: ClientSession): Promise<void> {
    const update = { $set: { since: new Date() } };
    await this.backlog.rows.updateOne({ _id: jobId }, update, { upsert: true, session });
  }

  async remove(jobId: string, session: ClientSession): Promise<void> {
    await this.backlog.rows.deleteOne({ _id: jobId }, { session });
  }

  /** The job that waits longest. */
  async next(): Promise<string | undefined> {
    const [first] = await this.backlog.list({}, { sort: { since: 1 }, limit: 1 });
    return first?.jobId;
  }
}
