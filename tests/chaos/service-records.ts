import type { StackDescription } from '@maker/local-stack';
import { type Document, MongoClient } from 'mongodb';
import type { Address, Hash } from 'viem';

/** Services with records of money: their names in events, and their databases. */
const DATABASES = {
  job: 'job',
  'payment-watcher': 'payment_watcher',
  'maker-executor': 'maker_executor',
} as const;

type Recorder = keyof typeof DATABASES;

/** Events by the service that must process them: each must be in its inbox. Source: design § 3. */
const CONSUMED: Readonly<Record<Recorder, Readonly<Partial<Record<Recorder, readonly string[]>>>>> = {
  job: {
    'payment-watcher': ['payment.received', 'payment.dropped', 'payment.deadline_passed'],
    'maker-executor': [
      ...['execution.started', 'execution.paused', 'execution.resumed', 'execution.completed', 'execution.failed'],
      ...['deposit.returned', 'deposit.held', 'deposit.surplus_found', 'funds.released', 'transfer.settled'],
    ],
  },
  'payment-watcher': { job: ['job.created', 'job.status_changed'] },
  'maker-executor': { job: ['job.activated', 'deposit.return_due', 'job.cancel_requested'] },
};

type Row<Fields> = Fields & { readonly _id: string };

/** A row of the executor's transactions. */
export type TransactionRow = Row<{
  purpose: 'fee' | 'order' | 'delivery' | 'return';
  state: string;
  nonce: number;
  attempts: { hash: Hash }[];
  inclusion: { hash: Hash; succeeded: boolean } | null;
}>;

/** All records of the services about one job, read from their databases. Money in wei, as text. */
export interface JobRecords {
  readonly job: Row<{
    status: string;
    paymentAddress: Address;
    tokenAddress: Address;
    paymentAmountWei: string;
    paymentDeadlineAt: Date;
    returnAddress: Address | null;
  }> | null;
  readonly deposits: readonly Row<{ amountWei: string; transactionHash?: Hash; claimedBy?: string }>[];
  readonly returns: readonly Row<{
    status: 'due' | 'returned' | 'held';
    amountWei: string;
    returnedWei?: string;
    to: Address | null;
    transactionHash?: Hash;
    reason?: string;
  }>[];
  readonly seenDeposits: readonly Row<{ state: string }>[];
  readonly execution: Row<{
    phase: string;
    paused?: { readonly reason: string } | null;
    /** Whether facts wait for processing. */
    attention: boolean;
    refunding: object | null;
    depositWei: string;
    driftWei: string;
    totals: Readonly<Record<string, string>>;
    heldReason: string | null;
  }> | null;
  readonly transactions: readonly TransactionRow[];
  readonly refunds: readonly Row<{ state: string }>[];
  readonly ledger: readonly Row<{ kind: string; amountWei: string }>[];
}

/** Reads the services' databases directly, as an auditor would, so that no service reports on itself. */
export class ServiceRecords {
  private readonly client: MongoClient;

  constructor({ mongoUrl }: Pick<StackDescription, 'mongoUrl'>) {
    this.client = new MongoClient(mongoUrl, { serverSelectionTimeoutMS: 5000 });
  }

  close(): Promise<void> {
    return this.client.close();
  }

  async ofJob(jobId: string): Promise<JobRecords> {
    const { client } = this;
    const of = (service: Recorder, collection: string) => client.db(DATABASES[service]).collection(collection);
    const rows = async (service: Recorder, collection: string, sort: Document = { _id: 1 }) =>
      (await of(service, collection).find({ jobId }).sort(sort).toArray()) as never[];
    const byId = { _id: jobId as never };
    const execution = await of('maker-executor', 'executions').findOne(byId);
    const facts = await of('maker-executor', 'facts').countDocuments({ jobId, kind: { $ne: 'pause' } });
    return {
      job: (await of('job', 'jobs').findOne(byId)) as never,
      deposits: await rows('job', 'deposits'),
      returns: await rows('job', 'returns'),
      seenDeposits: await rows('payment-watcher', 'deposits'),
      execution: execution && ({ ...execution, attention: facts > 0 } as never),
      transactions: await rows('maker-executor', 'transactions', { nonce: 1 }),
      refunds: await rows('maker-executor', 'refunds'),
      ledger: await rows('maker-executor', 'ledger_entries'),
    };
  }

  /** Recorded events that are not in the log of their service, and events that a service could not apply. */
  async undelivered(): Promise<readonly string[]> {
    const lines: string[] = [];
    for (const [service, database] of Object.entries(DATABASES)) {
      const rows = await this.client.db(database).collection('outbox').find({ number: null }).toArray();
      lines.push(...rows.map(({ type }) => `${type} waits in the outbox of ${service}`));
      const parked = await this.client.db(database).collection('parked_events').find().toArray();
      lines.push(...parked.map(({ event, error }) => `${event.type} is parked in ${service}: ${error}`));
    }
    return lines;
  }

  /** Events of some jobs that their consumer has not processed. */
  async notTakenIn(jobIds: readonly string[]): Promise<readonly string[]> {
    const lines: string[] = [];
    for (const [consumer, sources] of Object.entries(CONSUMED)) {
      const inbox = this.client.db(DATABASES[consumer as Recorder]).collection<{ _id: string }>('inbox');
      for (const [source, types] of Object.entries(sources)) {
        const outbox = this.client.db(DATABASES[source as Recorder]).collection<{ _id: string }>('outbox');
        const events = await outbox.find({ jobId: { $in: jobIds }, type: { $in: [...types] } } as never).toArray();
        const known = await inbox.find({ _id: { $in: events.map(({ _id }) => _id) } }).toArray();
        const taken = new Set(known.map(({ _id }) => _id));
        for (const { _id, ...event } of events) {
          if (!taken.has(_id)) lines.push(`${(event as Document).type} ${_id} has not reached ${consumer}`);
        }
      }
    }
    return lines;
  }
}
