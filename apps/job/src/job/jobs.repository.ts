import { RequestFailure } from '@maker/messaging';
import { Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import type { JobStatus } from '@maker/rules';
import { currentOrigin } from '@maker/service-kit';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { getAddress } from 'viem';
import { JOB_CONFIGURATION, type JobConfiguration } from '../configuration.ts';
import { type CreatedJob, jobOf, jobSchema } from './job.row.ts';
import type { Job } from './job.ts';
import type { JobChange } from './job-change.ts';

/** Name of the canary's API key: its jobs are not shown to visitors as the latest. Source: docs/adr/0035. */
const CANARY_API_KEY_NAME = 'canary';

export class JobNotFound extends RequestFailure {
  constructor(jobId: string) {
    super('JOB_NOT_FOUND', `No job has the id ${jobId}`);
  }
}

/** A claim on an idempotency key, and what was asked for under it. */
export interface IdempotencyClaim {
  readonly apiKeyName: string;
  readonly key: string;
  readonly requestHash: string;
}

/** A job, and the claim under which it was created. */
export interface ClaimedJob {
  readonly job: Job;
  readonly claim: IdempotencyClaim;
}

/** Another writer took the job to another status meanwhile; the message is handled again on what is there now. */
export class ConcurrentJobChangeError extends Error {
  readonly code = 'CONCURRENT_JOB_CHANGE';

  constructor(change: JobChange) {
    super(`Job ${change.before.jobId} is no longer ${change.before.status}`);
    this.name = 'ConcurrentJobChangeError';
  }
}

interface Counter {
  readonly id: string;
  readonly next: number;
}

const counterSchema = new EntitySchema<Counter>('counters', { next: Number });

const WALLET_INDEX = 'wallet_index';

/** What the database's log is asked to tell of a write. */
interface ToldWrite {
  readonly operationType: string;
  readonly documentKey?: { readonly _id: string };
  readonly updateDescription?: { readonly updatedFields?: { readonly status?: string } };
}

const NOTHING_CREDITED = { 'assessment.inTimeWei': '0', 'assessment.lateWei': '0', droppedWei: '0' } as const;

/** Answers of one creation whose secrets hold: a client that repeats its request goes by the last one. */
const MOST_STOP_SECRETS = 5;

/** Jobs and the address index counter in Mongo. */
@Injectable()
export class JobsRepository implements OnModuleInit {
  private readonly jobs: EntityCollection<CreatedJob, 'jobId'>;
  private readonly counters: EntityCollection<Counter>;
  /** Whether the counter began at this start, or an operator moved it ahead: no index from it on was given away. */
  countsAnew = false;

  constructor(
    connection: Connection,
    @Inject(JOB_CONFIGURATION) private readonly configuration: JobConfiguration,
  ) {
    this.jobs = new EntityCollection(connection, jobSchema);
    this.counters = new EntityCollection(connection, counterSchema);
  }

  async onModuleInit(): Promise<void> {
    // Created here, so that the first transactions meet a document and not each other's upserts.
    const next = this.configuration.JOB_FIRST_WALLET_INDEX;
    const before = await this.counters.rows
      .findOneAndUpdate({ _id: WALLET_INDEX }, { $max: { next } }, { upsert: true, returnDocument: 'before' })
      .lean<Counter>();
    this.countsAnew = before === null || before.next < next;
  }

  /** @throws JobNotFound */
  async get(jobId: string, session: ClientSession | null = null): Promise<Job> {
    const [job] = await this.jobs.list({ _id: jobId }, { session });
    if (!job) throw new JobNotFound(jobId);
    return jobOf(job);
  }

  /** Those of some jobs that there are. */
  async find(jobIds: readonly string[]): Promise<readonly Job[]> {
    return (await this.jobs.list({ _id: { $in: [...jobIds] } })).map(jobOf);
  }

  /** The jobs created under some idempotency keys, each with its claim. */
  async findClaimed(
    claims: readonly Pick<IdempotencyClaim, 'apiKeyName' | 'key'>[],
    session: ClientSession | null = null,
  ): Promise<readonly ClaimedJob[]> {
    if (claims.length === 0) return [];
    const filters = claims.map(({ apiKeyName, key }) => ({
      'idempotency.apiKeyName': apiKeyName,
      'idempotency.key': key,
    }));
    const created = await this.jobs.list({ $or: filters }, { session });
    return created.flatMap((job) =>
      job.idempotency ? [{ job: jobOf(job), claim: fromIdempotency(job.idempotency) }] : [],
    );
  }

  /** The index below the account key that the next job would be given, while nobody takes it. */
  async nextWalletIndex(session: ClientSession | null = null): Promise<number> {
    const [counter] = await this.counters.list({ _id: WALLET_INDEX }, { session });
    if (!counter) throw new Error('The address index counter is missing from the database');
    return counter.next;
  }

  /**
   * Takes the next so many indexes. Part of the transaction that inserts the jobs, behind {@link nextWalletIndex}: a creation
   * that is undone gives its index back, so the addresses in use have no gaps but those of `JOB_FIRST_WALLET_INDEX`.
   */
  async takeWalletIndexes(count: number, session: ClientSession): Promise<void> {
    await this.counters.update({ _id: WALLET_INDEX }, { $inc: { next: count } }, session);
  }

  /** A new job as it is written, which keeps the current origin with it. */
  created(
    job: Job,
    claim: IdempotencyClaim | undefined,
    kept: Pick<CreatedJob, 'stopSecretHashes' | 'clientNetworks' | 'clientAddress'>,
  ): CreatedJob {
    return { ...job, ...(claim && { idempotency: toIdempotency(claim) }), origin: currentOrigin(), ...kept };
  }

  /** @throws Mongo's duplicate key error when an idempotency key is claimed already */
  async insert(jobs: readonly CreatedJob[], session: ClientSession): Promise<void> {
    await this.jobs.insert(jobs, session);
  }

  /** Lets more secrets stop a job. @returns whether it still waits for its payment; only then they do */
  async addStopSecrets(jobId: string, hashes: readonly string[]): Promise<boolean> {
    const waiting = { _id: jobId, status: 'pending_payment' };
    const newest = { stopSecretHashes: { $each: [...hashes], $slice: -MOST_STOP_SECRETS } };
    return (await this.jobs.update(waiting, { $push: newest })) === 1;
  }

  /** None for an unknown job. */
  async stopSecretHashes(jobId: string, session: ClientSession | null = null): Promise<readonly string[]> {
    const row = await this.jobs.rows
      .findById(jobId, { stopSecretHashes: 1 })
      .session(session)
      .lean<Pick<CreatedJob, 'stopSecretHashes'>>();
    return row?.stopSecretHashes ?? [];
  }

  /** Writes what a message made of a job, if it still has the status that the decision saw. @throws ConcurrentJobChangeError */
  async update(change: JobChange, session: ClientSession): Promise<void> {
    const { jobId, ...fields } = change.after;
    const forgotten =
      fields.status === 'pending_payment' ? {} : { $unset: { clientAddress: 1, clientNetworks: 1 } as const };
    const update = { $set: jobSchema.stored(fields), ...forgotten };
    const matched = await this.jobs.update({ _id: jobId, status: change.before.status }, update, session);
    if (matched === 0) throw new ConcurrentJobChangeError(change);
  }

  /** Keeps what is seen at a job's address. It may be told in any order: the highest revision holds. @throws JobNotFound */
  async keepSeen(jobId: string, seen: NonNullable<Job['seen']>, session: ClientSession): Promise<void> {
    const older = { _id: jobId, 'seen.revision': { $not: { $gte: seen.revision } } };
    const matched = await this.jobs.update(older, { $set: jobSchema.stored({ seen }) }, session);
    if (matched === 0) await this.get(jobId, session);
  }

  /** Jobs newest first, the page before a time. */
  async list(query: { status?: JobStatus | undefined; before?: Date | undefined; limit: number }): Promise<Job[]> {
    const filter = {
      ...(query.status === undefined ? {} : { status: query.status }),
      ...(query.before === undefined ? {} : { createdAt: { $lt: query.before } }),
    };
    return (await this.jobs.list(filter, { sort: { createdAt: -1 }, limit: query.limit })).map(jobOf);
  }

  /** Those of some addresses, in lower case, that are the wallets of jobs. */
  async walletsAmong(addresses: readonly string[], session: ClientSession): Promise<ReadonlySet<string>> {
    const checksummed = addresses.map((address) => getAddress(address));
    const rows = await this.jobs.rows
      .find({ paymentAddress: { $in: checksummed } }, { paymentAddress: 1 })
      .session(session)
      .lean<Pick<Job, 'paymentAddress'>[]>();
    return new Set(rows.map(({ paymentAddress }) => paymentAddress.toLowerCase()));
  }

  /**
   * Follows all later writes of jobs that exist by then, in the order of the database's log, by any process. `next` throws when the log
   * cannot be followed any more. @param waitMs how long the database waits for a write before it says that there is none, ms
   */
  changes(waitMs: number) {
    // Nobody can hold a job that was not there: those that are made stay in the database.
    const rewritten = { operationType: { $ne: 'insert' } };
    const told = { documentKey: 1, operationType: 1, 'updateDescription.updatedFields.status': 1 };
    const stream = this.jobs.rows.collection.watch([{ $match: rewritten }, { $project: told }], {
      maxAwaitTimeMS: waitMs,
    });
    return {
      next: async () => {
        const write = (await stream.tryNext()) as ToldWrite | null;
        if (!write?.documentKey) return undefined;
        const { operationType, documentKey, updateDescription } = write;
        const status = operationType === 'update' ? updateDescription?.updatedFields?.status : operationType;
        return { jobId: documentKey._id, statusChanged: status !== undefined };
      },
      close: () => stream.close(),
    };
  }

  async countWithStatus(status: JobStatus): Promise<number> {
    return this.jobs.rows.countDocuments({ status });
  }

  /** Jobs that wait for their payment, counted no further than a number. @param clientAddress only those of this client */
  async countUnpaid(upTo: number, session: ClientSession, clientAddress?: string): Promise<number> {
    const filter = { status: 'pending_payment', ...(clientAddress !== undefined && { clientAddress }) } as const;
    return this.jobs.rows.countDocuments(filter).session(session).limit(upTo);
  }

  /** How many jobs wait for their payment, by the networks of their clients. */
  async unpaidByNetworks(session: ClientSession): Promise<{ networks: readonly string[]; count: number }[]> {
    const groups = await this.jobs.rows
      .aggregate<{ _id: readonly string[] | null; count: number }>([
        { $match: { status: 'pending_payment' } },
        { $group: { _id: '$clientNetworks', count: { $sum: 1 } } },
      ])
      .session(session);
    return groups.flatMap(({ _id, count }) => (_id ? [{ networks: _id, count }] : []));
  }

  /** The newest job of a network that waits for its payment, and at whose address nothing was seen; with the networks of its client. */
  async newestUnpaid(
    network: string,
    session: ClientSession,
  ): Promise<{ job: Job; networks: readonly string[] } | undefined> {
    const [row] = await this.jobs.list(
      { clientNetworks: network, status: 'pending_payment', seen: { $exists: false }, ...NOTHING_CREDITED },
      { sort: { createdAt: -1 }, limit: 1, session },
    );
    return row && { job: jobOf(row), networks: row.clientNetworks ?? [] };
  }

  /** Token of the job that was paid last: whoever pays for nothing is shown to nobody, and the canary is no visitor (docs/adr/0035). */
  async latestToken(): Promise<string | undefined> {
    const row = await this.jobs.rows
      .findOne({ activatedAt: { $exists: true }, 'idempotency.apiKeyName': { $ne: CANARY_API_KEY_NAME } })
      .sort({ activatedAt: -1 })
      .select({ tokenAddress: 1 })
      .lean<Pick<Job, 'tokenAddress'>>();
    return row?.tokenAddress;
  }
}

function toIdempotency({ requestHash, ...same }: IdempotencyClaim): NonNullable<CreatedJob['idempotency']> {
  return { ...same, orderHash: requestHash };
}

function fromIdempotency({ orderHash, ...same }: NonNullable<CreatedJob['idempotency']>): IdempotencyClaim {
  return { ...same, requestHash: orderHash };
}
