import type { StackDescription } from '@maker/local-stack';
import { type Collection, MongoClient } from 'mongodb';

interface LeaseRow {
  _id: string;
  owner: string;
  token: number;
  expiresAt: Date;
}

/** An owner that does not exist: the real owner gives up a lease in its hands, and the lease is free when it expires. */
const THIEF = 'thief';

/** The lease rows of a service, for a thief that ignores its rules. */
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

  /** Fencing token of a lease: it grows with every owner; 0 before the first. */
  async token(name: string): Promise<number> {
    return (await this.rows.findOne({ _id: name }))?.token ?? 0;
  }

  /** Names of all leases with an owner. */
  async held(): Promise<string[]> {
    const rows = await this.rows.find({ $expr: { $gt: ['$expiresAt', '$$NOW'] } }).toArray();
    return rows.map(({ _id }) => _id);
  }

  /** Expires an owner's lease; the owner may renew it before another process takes it. */
  async expire(name: string): Promise<void> {
    await this.rows.updateOne({ _id: name }, { $set: { expiresAt: new Date(0) } });
  }

  /** Takes a lease away from its owner. @param ms until any process may take it */
  async seize(name: string, ms: number): Promise<void> {
    const change = { owner: THIEF, token: { $add: ['$token', 1] }, expiresAt: { $add: ['$$NOW', ms] } };
    await this.rows.updateOne({ _id: name }, [{ $set: change }]);
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}
