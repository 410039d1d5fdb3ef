import { randomUUID } from 'node:crypto';
import type { BlockHead } from '@maker/chain';
import type { TransactionsRepository } from '@maker/execution-records';
import { type Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { ordersWithin } from '@maker/rules';

const MINUTE_MS = 60_000;

/** Time after which a claim is ignored as of a dead process, ms: the chain would refuse an order of that age. */
const CLAIM_LIFE_MS = 120_000;

/** Gas that a process is going to use. */
interface Claim {
  readonly id: string;
  readonly gas: number;
  /** By the chain's clock. */
  readonly at: Date;
}

interface Claims {
  readonly id: string;
  readonly claims: readonly Claim[];
}

const CLAIMS = 'claims';

const schema = new EntitySchema<Claims>('block_share', {
  claims: [{ _id: false, id: String, gas: Number, at: Date }],
});

/** Room in the gas of the minute, until it is released. */
export interface GasGrant {
  /** Number of transactions that have room; may be 0. */
  readonly count: number;
  release(): Promise<unknown>;
}

/**
 * Limits the gas of all jobs and replicas in any minute. Many transactions may be due together: schedules coincide, a pause of all
 * jobs ends, or jobs start or end together. A process first claims, then reads the usage. So it counts other transactions at
 * least once, as claimed or as saved, and no process waits for another. Source: design § 4a, docs/adr/0033.
 */
export class GasLimiter {
  private readonly rows;

  constructor(
    connection: Connection,
    private readonly transactions: TransactionsRepository,
  ) {
    this.rows = new EntityCollection(connection, schema).rows;
  }

  /** Creates the row of claims. */
  async initialize(): Promise<void> {
    await this.rows.updateOne({ _id: CLAIMS }, { $setOnInsert: { claims: [] } }, { upsert: true });
  }

  /** Claims room for transactions of the same gas limit. @param minuteGas gas that all jobs together may use in a minute */
  async claim(
    head: BlockHead,
    minuteGas: number,
    { gasLimit, count }: { readonly gasLimit: number; readonly count: number },
  ): Promise<GasGrant> {
    const claim: Claim = { id: randomUUID(), gas: gasLimit * count, at: new Date(head.timestampMs) };
    const release = () => this.rows.updateOne({ _id: CLAIMS }, { $pull: { claims: { id: claim.id } } }).exec();
    try {
      await this.add(claim);
      const used = await this.usedBefore(claim, new Date(head.timestampMs - MINUTE_MS));
      return { count: Math.min(count, ordersWithin(minuteGas, used, gasLimit)), release };
    } catch (error) {
      await release();
      throw error;
    }
  }

  private async add(claim: Claim): Promise<void> {
    const stale = new Date(claim.at.getTime() - CLAIM_LIFE_MS);
    const living = { $filter: { input: '$claims', cond: { $gt: ['$$this.at', stale] } } };
    const claims = { $concatArrays: [living, [claim]] };
    const { matchedCount } = await this.rows.updateOne({ _id: CLAIMS }, [{ $set: { claims } }], {
      updatePipeline: true,
    });
    if (matchedCount === 0) throw new Error("The row of claims on the minute's gas is missing");
  }

  /** Sums the gas of earlier claims, then of saved transactions. In this order, one saved meanwhile counts twice, never not at all. */
  private async usedBefore({ id }: Claim, since: Date): Promise<number> {
    const before = { $slice: ['$claims', { $indexOfArray: ['$claims.id', id] }] };
    const sums = await this.rows.aggregate<{ sum: number }>([
      { $match: { _id: CLAIMS } },
      { $project: { sum: { $sum: { $map: { input: before, in: '$$this.gas' } } } } },
      ...this.transactions.gasSince(since),
    ]);
    return sums.reduce((total, { sum }) => total + sum, 0);
  }
}
