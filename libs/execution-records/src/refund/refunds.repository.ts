import { AMOUNT, type Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import type { ClientSession } from 'mongoose';
import { type Refund, type RefundState, type RefundSums, sumRefunds, UNEXPLAINED_DEPOSIT } from './refund.ts';

const schema = new EntitySchema<Refund>('refunds', {
  jobId: String,
  depositIds: [String],
  amountWei: AMOUNT,
  to: String,
  sentBy: [{ transactionHash: String, amountWei: AMOUNT }],
  holdReason: String,
  blockNumber: Number,
  state: String,
  recordedAt: Date,
}).index({ jobId: 1, state: 1 });

/** Refunds in MongoDB: deposits that pay for no order. */
export class RefundsRepository {
  private readonly refunds: EntityCollection<Refund>;

  constructor(connection: Connection) {
    this.refunds = new EntityCollection(connection, schema);
  }

  async find(id: string, session?: ClientSession): Promise<Refund | undefined> {
    const [refund] = await this.refunds.list({ _id: id }, session ? { session } : {});
    return refund;
  }

  /** @throws MongoDB's duplicate key error if it is known already */
  async insert(refund: Refund, session: ClientSession): Promise<void> {
    await this.refunds.insert([refund], session);
  }

  /** Refunds of a job in some states, or in all, oldest first. */
  async ofJob(jobId: string, states?: readonly RefundState[], most = 0): Promise<readonly Refund[]> {
    const filter = states ? { jobId, state: { $in: [...states] } } : { jobId };
    return this.refunds.list(filter, { sort: { recordedAt: 1, _id: 1 }, limit: most });
  }

  /** Sums of a job's refunds by state. @param exceptDueTo leaves out refunds due to this address */
  async sums(jobId: string, exceptDueTo: string | null = null): Promise<RefundSums> {
    const except = exceptDueTo === null ? {} : { $nor: [{ state: 'due', to: exceptDueTo }] };
    const sums = await this.refunds.amountWeiSumsBy<RefundState>('state', { jobId, ...except });
    return sumRefunds([...sums].map(([state, amountWei]) => ({ state, amountWei })));
  }

  /** Number of returns of unexplained money to an address. */
  async unexplainedReturns(jobId: string, to: string): Promise<number> {
    return this.refunds.rows.collection.countDocuments({
      jobId,
      state: 'returned',
      to,
      depositIds: { $not: { $elemMatch: { $not: UNEXPLAINED_DEPOSIT } } },
    });
  }

  /** Whether a refund of its own returned one of these deposits. */
  async wereReturned(jobId: string, depositIds: readonly string[]): Promise<boolean> {
    const filter = { jobId, state: 'returned', depositIds: { $in: [...depositIds] } };
    return (await this.refunds.rows.exists(filter)) !== null;
  }

  /** Whether every refund of these ids is stored. */
  async areKnown(ids: readonly string[]): Promise<boolean> {
    return (await this.refunds.rows.countDocuments({ _id: { $in: [...ids] } })) === ids.length;
  }

  /** Releases all held refunds of a job, by an operator's command. @throws Error if their number is not `count` */
  async releaseHeld(jobId: string, count: number, session: ClientSession): Promise<void> {
    const matched = await this.refunds.update({ jobId, state: 'held' }, { $set: { state: 'released' } }, session);
    if (matched !== count) throw new Error(`${matched} returns of ${jobId} were held, not ${count}`);
  }

  /** Moves refunds to another state. @throws Error if one is no longer in the state that the decision read */
  async enter(
    refunds: readonly Refund[],
    state: RefundState,
    session: ClientSession,
    change: Partial<Refund> = {},
  ): Promise<void> {
    const [first] = refunds;
    if (!first) return;
    const ids = refunds.map(({ id }) => id);
    const matched = await this.refunds.update(
      { _id: { $in: ids }, state: first.state },
      { $set: { ...schema.stored(change), state } },
      session,
    );
    if (matched !== ids.length) throw new Error(`Not every one of these refunds is ${first.state}: ${ids.join(', ')}`);
  }

  /** Removes `reported` refunds whose deposits are known now. */
  async dropReported(depositIds: readonly string[], session: ClientSession): Promise<void> {
    await this.refunds.rows.deleteMany({ _id: { $in: [...depositIds] }, state: 'reported' }, { session });
  }
}
