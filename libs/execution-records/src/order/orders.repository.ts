import { AMOUNT, type Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import type { ClientSession } from 'mongoose';
import type { Order } from './order.ts';

const schema = new EntitySchema<Order>('orders', {
  jobId: String,
  number: Number,
  exchange: String,
  tradeWei: AMOUNT,
  merged: Number,
  quotedTokens: AMOUNT,
  minimumTokens: AMOUNT,
  placedAt: Date,
  expiresAt: Date,
  retryOf: Number,
}).index({ jobId: 1, number: 1 }, { unique: true });

/** Orders in MongoDB, as the executor decided them. */
export class OrdersRepository {
  private readonly orders: EntityCollection<Order>;

  constructor(connection: Connection) {
    this.orders = new EntityCollection(connection, schema);
  }

  /** @throws MongoDB's duplicate key error if a number of the job is taken */
  async insert(orders: readonly Order[], session: ClientSession): Promise<void> {
    await this.orders.insert(orders, session);
  }

  /** Orders of a job after a number, ascending. */
  async list(jobId: string, after: number, limit: number): Promise<readonly Order[]> {
    return this.orders.list({ jobId, number: { $gt: after } }, { sort: { number: 1 }, limit });
  }

  /** Orders of a job by their numbers, ascending. */
  async numbered(jobId: string, numbers: readonly number[]): Promise<readonly Order[]> {
    return this.orders.list({ jobId, number: { $in: [...numbers] } }, { sort: { number: 1 } });
  }
}
