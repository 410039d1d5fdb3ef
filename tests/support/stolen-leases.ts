import type { StackDescription } from '@maker/local-stack';
import { type Collection, MongoClient } from 'mongodb';

interface LeaseRow {
  _id: string;
  owner: string;
  token: number;
  expiresAt: Date;
}

/** Who nobody is: a lease in its hands is given up by its owner and free again when it expires. */
const THIEF = 'thief';

/** The lease rows of a service, in the hands of somebody who respects none of its rules. */
export class StolenLeases {
  private constructor(
    private readonly client: MongoClient,
    private readonly rows: Collection<LeaseRow>,
  ) {}

  /** @param database of the service, such as `maker_executor` */
  static of({ mongoUrl }: StackDescription, database: string): StolenLeases {
    const client = new MongoClient(mongoUrl);
    return new StolenLeases(client, client.db(database).collection<LeaseRow>('leases'));
  }

  /** Fencing token of a lease: greater with every owner; 0 before the first. */
  async token(name: string): Promise<number> {
    return (await this.rows.findOne({ _id: name }))?.token ?? 0;
  }

  /** Those that somebody holds now. */
  async held(): Promise<string[]> {
    const rows = await this.rows.find({ $expr: { $gt: ['$expiresAt', '$$NOW'] } }).toArray();
    return rows.map(({ _id }) => _id);
  }

  /** Lets a lease expire under its owner, who may renew it before another takes it. */
  async expire(name: string): Promise<void> {
    await this.rows.updateOne({ _id: name }, { $set: { expiresAt: new Date(0) } });
  }

  /** Takes a lease away from its owner, for as long as told. @param ms until anybody may have it */
  async seize(name: string, ms: number): Promise<void> {
    const change = { owner: THIEF, token: { $add: ['$token', 1] }, expiresAt: { $add: ['$$NOW', ms] } };
    await this.rows.updateOne({ _id: name }, [{ $set: change }]);
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}
