import { MONGO_CONNECTION } from '@maker/persistence';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { ClientSession, Connection } from 'mongoose';
import { StoredCollection } from '../storage/stored-collection.ts';
import type { Order } from './order.ts';

/** Orders in Mongo, as they were decided. */
@Injectable()
export class OrdersRepository implements OnModuleInit {
  private readonly orders: StoredCollection<Order>;

  constructor(@Inject(MONGO_CONNECTION) connection: Connection) {
    this.orders = new StoredCollection(connection, 'orders');
  }

  async onModuleInit(): Promise<void> {
    await this.orders.rows.createIndex({ jobId: 1, number: 1 }, { unique: true });
  }

  /** @throws the duplicate key error of Mongo where a number of the job is taken */
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
