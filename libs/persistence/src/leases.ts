import { randomUUID } from 'node:crypto';
import { MetricsRegistry } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { Counter } from 'prom-client';
import { Connection } from './connection.ts';
import { EntityCollection } from './entity-collection.ts';
import { EntitySchema } from './entity-schema.ts';
import { declareLeaseMetrics } from './persistence.metrics.ts';
import { isDuplicateKey } from './transaction.ts';

/** The right to be the only writer of an object, such as one wallet, until it expires. */
export interface Lease {
  readonly name: string;
  readonly owner: string;
  /** Fencing token: greater with every new owner. */
  readonly token: number;
}

/** Another process holds the lease now: the caller must not write. */
export class LeaseLostError extends Error {
  readonly code = 'LEASE_LOST';

  constructor(name: string) {
    super(`The lease '${name}' is held by another process`);
    this.name = 'LeaseLostError';
  }
}

interface KeptLease extends Lease {
  readonly expiresAt: Date;
  /** Raised by every fenced write, so that it conflicts with a takeover. */
  readonly uses: number;
}

const schema = new EntitySchema<KeptLease, 'name'>(
  'leases',
  { owner: String, token: Number, expiresAt: Date, uses: Number },
  'name',
);

const UNEXPIRED = { $expr: { $gt: ['$expiresAt', '$$NOW'] } };

/**
 * Leases in the service's own database, timed by the database's clock. A lease alone does not allow a write: each
 * write calls {@link Leases.assertHeld} in its transaction, which makes two owners harmless. Source: design § 5.
 */
@Injectable()
export class Leases {
  private readonly rows;
  private readonly lost: Counter;
  private readonly owner = randomUUID();

  constructor(connection: Connection, registry: MetricsRegistry) {
    this.rows = new EntityCollection(connection, schema).rows;
    this.lost = declareLeaseMetrics(registry);
  }

  /**
   * Takes a lease that is free or has expired.
   * @param ttlMs time until it expires without renewal, ms
   * @returns undefined while another process holds it
   */
  async acquire(name: string, ttlMs: number): Promise<Lease | undefined> {
    const taken = await this.take(name, ttlMs);
    if (taken || (await this.rows.exists({ _id: name }))) return taken;
    await this.createExpired(name);
    return this.take(name, ttlMs);
  }

  /** Extends a lease. @throws LeaseLostError when another process has taken it */
  async renew(lease: Lease, ttlMs: number): Promise<void> {
    const [lost] = await this.renewAll([lease], ttlMs);
    if (lost) throw new LeaseLostError(lost.name);
  }

  /** Extends several leases in one request. @returns the leases that another process has taken */
  async renewAll(leases: readonly Lease[], ttlMs: number): Promise<readonly Lease[]> {
    if (leases.length === 0) return [];
    const ours = { $or: leases.map(({ name, owner, token }) => ({ _id: name, owner, token })) };
    const { matchedCount } = await this.rows.updateMany(ours, [{ $set: { expiresAt: { $add: ['$$NOW', ttlMs] } } }], {
      updatePipeline: true,
    });
    if (matchedCount === leases.length) return [];
    const rows = await this.rows.find(ours, { _id: 1 }).lean();
    const kept = new Set(rows.map(({ _id }) => _id));
    const lost = leases.filter(({ name }) => !kept.has(name));
    this.lost.inc(lost.length);
    return lost;
  }

  /** Releases a lease immediately; does nothing if it is already lost. */
  async release(lease: Lease): Promise<void> {
    await this.rows.updateOne(
      { _id: lease.name, owner: lease.owner, token: lease.token },
      [{ $set: { expiresAt: '$$NOW' } }],
      { updatePipeline: true },
    );
  }

  /** Returns the names whose lease this or another process holds now. */
  async held(names: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.rows.find({ _id: { $in: names }, ...UNEXPIRED }, { _id: 1 }).lean();
    return new Set(rows.map(({ _id }) => _id));
  }

  /** Counts the held leases whose names start with a prefix. @param prefix letters, digits, '-' and '/' */
  async countHeld(prefix: string): Promise<number> {
    return this.rows.countDocuments({ _id: { $regex: `^${prefix}` }, ...UNEXPIRED });
  }

  /**
   * Removes expired leases whose names start with a prefix. Use it only for names that are never taken again: their tokens would restart.
   * @param prefix as in {@link countHeld} @param expiredMs minimum time since they expired, ms
   */
  async removeExpired(prefix: string, expiredMs: number): Promise<void> {
    await this.rows.deleteMany({
      _id: { $regex: `^${prefix}` },
      $expr: { $lt: ['$expiresAt', { $subtract: ['$$NOW', expiredMs] }] },
    });
  }

  /**
   * Fails the transaction unless the lease's token is still the newest: the fence of every write.
   * @throws LeaseLostError
   */
  async assertHeld(lease: Lease, session: ClientSession): Promise<void> {
    const result = await this.rows.updateOne(
      { _id: lease.name, token: lease.token },
      { $inc: { uses: 1 } },
      { session },
    );
    if (result.matchedCount > 0) return;
    this.lost.inc();
    throw new LeaseLostError(lease.name);
  }

  private async take(name: string, ttlMs: number): Promise<Lease | undefined> {
    const row = await this.rows
      .findOneAndUpdate(
        { _id: name, $expr: { $lte: ['$expiresAt', '$$NOW'] } },
        [{ $set: { owner: this.owner, token: { $add: ['$token', 1] }, expiresAt: { $add: ['$$NOW', ttlMs] } } }],
        { returnDocument: 'after', updatePipeline: true },
      )
      .lean<Pick<KeptLease, 'owner' | 'token'>>();
    return row ? { name, owner: row.owner, token: row.token } : undefined;
  }

  // A separate step, because Mongo allows no $expr in an upsert.
  private async createExpired(name: string): Promise<void> {
    try {
      await this.rows.create([{ _id: name, owner: '', token: 0, expiresAt: new Date(0), uses: 0 }]);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}
