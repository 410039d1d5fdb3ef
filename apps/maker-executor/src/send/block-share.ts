import { randomUUID } from 'node:crypto';
import { Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { ordersWithin } from '@maker/rules';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { BlockHead } from '../chain/head-feed.ts';
import type { LeasedExecution } from '../execution/leased-execution.ts';
import { MakerMetrics } from '../metrics/maker.metrics.ts';
import { ORDER_LIFE_MS } from '../order/order.ts';
import { TransactionsRepository } from '../transaction/transactions.repository.ts';

const MINUTE_MS = 60_000;

/** Gas that somebody is about to use. */
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

/**
 * Holds the transactions of all jobs and replicas within their share of the gas of any minute, whatever makes them due together: schedules
 * that meet, a pause of all that ends, jobs that begin or end together. Source: design § 4a, docs/adr/0033.
 */
@Injectable()
export class BlockShare implements OnModuleInit {
  private readonly rows;
  /** Since when something other than an order waits, by job, ms of the chain's clock. */
  private readonly waitingSince = new Map<string, number>();

  constructor(
    connection: Connection,
    private readonly transactions: TransactionsRepository,
    private readonly metrics: MakerMetrics,
  ) {
    this.rows = new EntityCollection(connection, schema).rows;
  }

  async onModuleInit(): Promise<void> {
    await this.rows.updateOne({ _id: CLAIMS }, { $setOnInsert: { claims: [] } }, { upsert: true });
  }

  /** Whether an order of so much gas has room now; another job may be quicker. */
  async hasRoom({ execution, head }: LeasedExecution, orderGas: number): Promise<boolean> {
    const { minuteGas } = execution.plan;
    const hasRoom = minuteGas === undefined || ordersWithin(minuteGas, await this.used(head), orderGas) > 0;
    this.metrics.room.found(execution.id, hasRoom, head.timestampMs);
    return hasRoom;
  }

  /**
   * Sends as many orders as the minute has room for. Whoever is about to says so first, and then looks at what is saved: so what others
   * send is counted once at least, as claimed before or as saved, and nobody waits for anybody.
   * @param send gets how many, which can be none
   */
  async within<Result>(
    { execution, head }: LeasedExecution,
    { gasLimit, count }: { readonly gasLimit: number; readonly count: number },
    send: (count: number) => Promise<Result>,
  ): Promise<Result> {
    const { minuteGas } = execution.plan;
    if (minuteGas === undefined) return send(count);
    const claim: Claim = { id: randomUUID(), gas: gasLimit * count, at: new Date(head.timestampMs) };
    try {
      const claimed = await this.claim(claim);
      const within = ordersWithin(minuteGas, claimed + (await this.used(head)), gasLimit);
      this.metrics.room.found(execution.id, within >= count, head.timestampMs);
      return await send(Math.min(count, within));
    } finally {
      await this.rows.updateOne({ _id: CLAIMS }, { $pull: { claims: { id: claim.id } } });
    }
  }

  /**
   * Sends something other than an order where the minute has room for it. After a minute it goes without: nobody's money waits for longer,
   * also where the share is less than what one transaction may use.
   * @returns what `send` gives; undefined where it has to wait
   */
  async whenRoom<Result>(
    leased: LeasedExecution,
    gasLimit: number,
    send: () => Promise<Result>,
  ): Promise<Result | undefined> {
    const { id } = leased.execution;
    const nowMs = leased.head.timestampMs;
    return this.within(leased, { gasLimit, count: 1 }, async (count) => {
      const since = this.waitingSince.get(id) ?? nowMs;
      if (count === 0 && nowMs - since < MINUTE_MS) {
        this.waitingSince.set(id, since);
        return undefined;
      }
      this.waitingSince.delete(id);
      return send();
    });
  }

  private used(head: BlockHead): Promise<number> {
    return this.transactions.gasSince(new Date(head.timestampMs - MINUTE_MS));
  }

  /** @returns gas that others have claimed before */
  private async claim(claim: Claim): Promise<number> {
    // Of who died between claim and release; orders of that age would be refused by the chain.
    const stale = new Date(claim.at.getTime() - ORDER_LIFE_MS);
    const living = { $filter: { input: '$claims', cond: { $gt: ['$$this.at', stale] } } };
    const row = await this.rows
      .findOneAndUpdate({ _id: CLAIMS }, [{ $set: { claims: { $concatArrays: [living, [claim]] } } }], {
        returnDocument: 'after',
        updatePipeline: true,
      })
      .lean<Claims>();
    if (!row) throw new Error('The claims on the share of the blocks are gone');
    return row.claims.filter(({ id }) => id !== claim.id).reduce((sum, { gas }) => sum + gas, 0);
  }
}
