import { AMOUNT, Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { isDust } from '@maker/rules';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { Address } from 'viem';
import type { Deposit } from './deposit.ts';

/** Dust of an address on one day (UTC): payments that are each below the cost of the cheapest order. */
interface Dust {
  /** Address and day. */
  readonly id: string;
  readonly address: Address;
  /** Such as 2026-11-25. */
  readonly day: string;
  readonly amountWei: bigint;
  /** The newest block with such a payment. */
  readonly lastBlock: number;
}

/** One payment that adds to the dust of an address. */
export type DustFact = Pick<Deposit, 'address' | 'jobId' | 'amountWei' | 'blockAtMs'>;

const schema = new EntitySchema<Dust>('dust', { address: String, day: String, amountWei: AMOUNT, lastBlock: Number })
  .index({ address: 1, lastBlock: 1, amountWei: 1 })
  .index({ day: 1, amountWei: 1 })
  .index({ lastBlock: 1 });

/** Stores dust in one row for each address and day, without events: strangers can send any number of payments. Source: docs/adr/0053. */
@Injectable()
export class DustRepository {
  private readonly dust: EntityCollection<Dust>;

  constructor(connection: Connection) {
    this.dust = new EntityCollection(connection, schema);
  }

  /**
   * Adds dust of a block. If a day's sum reaches the cost of an order, the sum becomes a deposit and leaves the dust.
   * @param spending wallets whose balance can no longer prove such a deposit: their dust stays dust
   * @returns the new deposits
   */
  async add(
    facts: readonly DustFact[],
    blockNumber: number,
    session: ClientSession,
    spending: ReadonlySet<Address> = new Set(),
  ): Promise<Deposit[]> {
    if (facts.length === 0) return [];
    const byId = Map.groupBy(facts, ({ address, blockAtMs }) => `${address}:${dayOf(blockAtMs)}`);
    const rows = await this.dust.list({ _id: { $in: [...byId.keys()] } }, { session });
    const before = new Map(rows.map((row) => [row.id, row.amountWei]));
    const deposits: Deposit[] = [];
    const writes = [...byId].map(([id, some]) => {
      const [{ address, jobId, blockAtMs }] = some as [DustFact];
      const amountWei = some.reduce((sum, fact) => sum + fact.amountWei, before.get(id) ?? 0n);
      const addsUp = !isDust(amountWei) && !spending.has(address);
      if (addsUp) deposits.push(dustDeposit(address, jobId, amountWei, { blockNumber, blockAtMs }));
      const { _id, ...row } = schema.toRow({
        id,
        address,
        day: dayOf(blockAtMs),
        amountWei: addsUp ? 0n : amountWei,
        lastBlock: blockNumber,
      });
      return { updateOne: { filter: { _id }, update: { $set: row }, upsert: true } };
    });
    await this.dust.rows.bulkWrite(writes, { session, ordered: false });
    return deposits;
  }

  /** Addresses with dust of days before `day`, sorted. @param day such as 2026-11-25 @param after last address of the previous page */
  async ofPastDays(day: string, after: Address | undefined, limit: number): Promise<Address[]> {
    const filter = { ...(after && { address: { $gt: after } }), day: { $lt: day }, amountWei: { $ne: '0' } };
    const rows = await this.dust.list(filter, { sort: { address: 1 }, limit });
    return [...new Set(rows.map(({ address }) => address))];
  }

  /** Turns all dust of an address into one deposit. @returns undefined if there is no dust */
  async settle(
    { address, jobId }: Pick<Deposit, 'address' | 'jobId'>,
    at: { readonly blockNumber: number; readonly blockAtMs: number },
    session: ClientSession,
  ): Promise<Deposit | undefined> {
    const rows = await this.dust.list({ address }, { session });
    const amountWei = rows.reduce((sum, row) => sum + row.amountWei, 0n);
    if (amountWei === 0n) return undefined;
    await this.dust.update({ address }, { $set: schema.stored({ amountWei: 0n, lastBlock: at.blockNumber }) }, session);
    return dustDeposit(address, jobId, amountWei, at);
  }

  /** Sums of dust rows whose newest block is at most `blockNumber`, by address, wei. An address without dust is absent. */
  async sumsUpTo(blockNumber: number, addresses: readonly Address[]): Promise<ReadonlyMap<Address, bigint>> {
    return this.dust.amountWeiSumsBy('address', { address: { $in: addresses }, lastBlock: { $lte: blockNumber } });
  }

  /** Returns those of the addresses that received dust after a block. */
  async newerThan(blockNumber: number, addresses: readonly Address[]): Promise<ReadonlySet<Address>> {
    const filter = { address: { $in: addresses }, lastBlock: { $gt: blockNumber } };
    return new Set((await this.dust.rows.distinct('address', filter)) as Address[]);
  }

  /** All dust of an address, wei. */
  async sumOf(address: Address): Promise<bigint> {
    return (await this.dust.amountWeiSumsBy<Address>('address', { address })).get(address) ?? 0n;
  }

  /** Deletes rows to which removed blocks added dust: balances and later blocks show the money again. */
  async rewind(ancestorBlock: number, session: ClientSession): Promise<void> {
    await this.dust.rows.deleteMany({ lastBlock: { $gt: ancestorBlock } }, { session });
  }
}

function dustDeposit(
  address: Address,
  jobId: string,
  amountWei: bigint,
  { blockNumber, blockAtMs }: { readonly blockNumber: number; readonly blockAtMs: number },
): Deposit {
  const depositId = `${address}:dust:${blockNumber}`;
  const common = { depositId, address, jobId, amountWei, kind: 'balance', occurrence: 1 } as const;
  return { ...common, blockNumber, blockAtMs, seenAtBlock: blockNumber };
}

/** UTC day of a time, such as 2026-11-25. @param atMs ms */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
