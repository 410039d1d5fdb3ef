import type { JobCreator, JobMetadata } from '@maker/contracts';
import { RequestFailure } from '@maker/messaging';
import { Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { JOB_STATUSES, type JobStatus } from '@maker/rules';
import { currentOrigin } from '@maker/service-kit';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { getAddress } from 'viem';
import { JOB_CONFIGURATION, type JobConfiguration } from '../configuration.ts';
import { BY_API_KEY, BY_METADATA, BY_TIME, type CreatedJob, jobOf, jobSchema } from './job.row.ts';
import type { Job } from './job.ts';
import type { JobChange } from './job-change.ts';
import { metadataHashes } from './metadata-hashes.ts';

/** Name of the canary's API key. Visitors never see its jobs as the latest. Source: docs/adr/0035. */
const CANARY_API_KEY_NAME = 'canary';

export class JobNotFound extends RequestFailure {
  constructor(jobId: string) {
    super('JOB_NOT_FOUND', `No job has the id ${jobId}`);
  }
}

/** A claim on an idempotency key, with the hash of the request. */
export interface IdempotencyClaim {
  readonly apiKeyName: string;
  /** The key itself is stored nowhere. */
  readonly keyHash: string;
  readonly requestHash: string;
}

/** A job with the claim that created it. */
export interface ClaimedJob {
  readonly job: Job;
  readonly claim: IdempotencyClaim;
}

/** Another writer changed the job's status meanwhile. The message is handled again with the new state. */
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

/** A write in the change stream, with the requested fields. */
interface StreamedWrite {
  readonly operationType: string;
  readonly documentKey?: { readonly _id: string };
  readonly updateDescription?: { readonly updatedFields?: { readonly status?: string } };
}

/** Part of a job's amount that protects its place once it was seen: less costs a stranger nothing. Source: docs/adr/0156. */
const PROTECTING_PARTS = 10;

/** Unpaid jobs that share the places by network: those of servers' keys have a limit of their own. Source: docs/adr/0173. */
const OF_ADDRESSES = { status: 'pending_payment', clientAddress: { $exists: true } } as const;

/** Whether an unpaid job may give way: less than that part of its amount was ever seen at its address. */
const IS_EVICTABLE = {
  $lt: [
    {
      $multiply: [
        PROTECTING_PARTS,
        {
          $max: [
            weiOf('$seen.amountWei'),
            { $add: ['$assessment.inTimeWei', '$assessment.lateWei', '$droppedWei'].map(weiOf) },
          ],
        },
      ],
    },
    weiOf('$paymentAmountWei'),
  ],
};

/** An amount of a row as a number of MongoDB; 0 where it is absent. */
function weiOf(field: string) {
  return { $toDecimal: { $ifNull: [field, '0'] } };
}

/** Place of a job in the lists, which are newest first. */
export interface JobPosition {
  readonly createdAt: Date;
  readonly jobId: string;
}

/** Jobs and the address index counter in MongoDB. */
@Injectable()
export class JobsRepository implements OnModuleInit {
  private readonly jobs: EntityCollection<CreatedJob, 'jobId'>;
  private readonly counters: EntityCollection<Counter>;
  /** Whether this start created the counter or moved it ahead: then no index from it on was assigned. */
  countsAnew = false;

  constructor(
    connection: Connection,
    @Inject(JOB_CONFIGURATION) private readonly configuration: JobConfiguration,
  ) {
    this.jobs = new EntityCollection(connection, jobSchema);
    this.counters = new EntityCollection(connection, counterSchema);
  }

  async onModuleInit(): Promise<void> {
    // Created here, so that the first concurrent transactions do not conflict by upserts.
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

  /** Which API key created a job, and its metadata; empty for an unknown job. */
  async creatorOf(jobId: string): Promise<JobCreator> {
    const row = await this.jobs.rows
      .findOne({ _id: jobId }, { 'idempotency.apiKeyName': 1, metadata: 1 })
      .lean<Pick<CreatedJob, 'idempotency' | 'metadata'>>();
    const { idempotency, metadata } = row ?? {};
    return { ...(idempotency && { apiKeyName: idempotency.apiKeyName }), ...(metadata && { metadata }) };
  }

  /** Jobs by ids; unknown ids are left out. */
  async find(jobIds: readonly string[]): Promise<readonly Job[]> {
    return (await this.jobs.list({ _id: { $in: [...jobIds] } })).map(jobOf);
  }

  /** Jobs that were created with these idempotency keys, each with its claim. */
  async findClaimed(
    claims: readonly Pick<IdempotencyClaim, 'apiKeyName' | 'keyHash'>[],
    session: ClientSession | null = null,
  ): Promise<readonly ClaimedJob[]> {
    if (claims.length === 0) return [];
    const filters = claims.map(({ apiKeyName, keyHash }) => ({
      'idempotency.apiKeyName': apiKeyName,
      'idempotency.keyHash': keyHash,
    }));
    const created = await this.jobs.list({ $or: filters }, { session });
    return created.flatMap((job) => claimsOf(job).map((claim) => ({ job: jobOf(job), claim })));
  }

  /** Next index below the account key, without taking it. */
  async nextWalletIndex(session: ClientSession | null = null): Promise<number> {
    const [counter] = await this.counters.list({ _id: WALLET_INDEX }, { session });
    if (!counter) throw new Error('The address index counter is missing from the database');
    return counter.next;
  }

  /**
   * Takes the next `count` indexes. Call it after {@link nextWalletIndex}, in the transaction that inserts the jobs. An aborted
   * creation returns its index, so only `JOB_FIRST_WALLET_INDEX` causes gaps between used addresses.
   */
  async takeWalletIndexes(count: number, session: ClientSession): Promise<void> {
    await this.counters.update({ _id: WALLET_INDEX }, { $inc: { next: count } }, session);
  }

  /** The row of a new job, with the current origin. @param apiKeyName key that creates it */
  created(
    job: Job,
    claim: IdempotencyClaim | undefined,
    apiKeyName: string,
    kept: Pick<CreatedJob, 'clientNetworks' | 'clientAddress'>,
  ): CreatedJob {
    return {
      ...job,
      ...(job.metadata && { metadataHashes: metadataHashes(job.metadata) }),
      idempotency: claim ? toIdempotency(claim) : { apiKeyName },
      origin: currentOrigin(),
      ...kept,
    };
  }

  /** @throws MongoDB's duplicate key error if an idempotency key is claimed already */
  async insert(jobs: readonly CreatedJob[], session: ClientSession): Promise<void> {
    await this.jobs.insert(jobs, session);
  }

  /** Writes a change if the job still has the status before it. @throws ConcurrentJobChangeError */
  async update(change: JobChange, session: ClientSession): Promise<void> {
    const { jobId, ...fields } = change.after;
    const now = change.transition?.to === 'active' && ({ $currentDate: { bookedAt: true } } as const);
    const update = { $set: jobSchema.stored(fields), ...forgottenIn(fields.status), ...now };
    const matched = await this.jobs.update({ _id: jobId, status: change.before.status }, update, session);
    if (matched === 0) throw new ConcurrentJobChangeError(change);
  }

  /** Stores the sum that is seen at a job's address. Messages may arrive in any order: the highest revision wins. @throws JobNotFound */
  async keepSeen(jobId: string, seen: NonNullable<Job['seen']>, session: ClientSession): Promise<void> {
    const older = { _id: jobId, 'seen.revision': { $not: { $gte: seen.revision } } };
    const matched = await this.jobs.update(older, { $set: jobSchema.stored({ seen }) }, session);
    if (matched === 0) await this.get(jobId, session);
  }

  /** One page of jobs before a time, newest first. */
  async list(query: { status?: JobStatus | undefined; before?: Date | undefined; limit: number }): Promise<Job[]> {
    const filter = {
      ...(query.status === undefined ? {} : { status: query.status }),
      ...(query.before === undefined ? {} : { createdAt: { $lt: query.before } }),
    };
    return (await this.jobs.list(filter, { sort: { createdAt: -1 }, limit: query.limit })).map(jobOf);
  }

  /**
   * One page of jobs, newest first, by one query that reads one index.
   * @param apiKeyName key that created the jobs; null: any
   * @param metadata one entry that the jobs have
   * @param after the page begins behind this job
   */
  async search(query: {
    readonly apiKeyName: string | null;
    readonly status?: JobStatus | undefined;
    readonly createdAfter?: Date | undefined;
    readonly metadata?: JobMetadata | undefined;
    readonly after?: JobPosition | undefined;
    readonly limit: number;
  }): Promise<Job[]> {
    const { apiKeyName, status, createdAfter, metadata, after, limit } = query;
    const [entryHash] = metadataHashes(metadata ?? {});
    const ofKey = entryHash === undefined && apiKeyName !== null;
    const filter = {
      ...(apiKeyName !== null && { 'idempotency.apiKeyName': apiKeyName }),
      ...(entryHash !== undefined && { metadataHashes: entryHash }),
      // The index of a key's jobs has the status before the time, so each status is read in its order.
      ...(status !== undefined ? { status } : ofKey && { status: { $in: [...JOB_STATUSES] } }),
      ...((createdAfter ?? after) && {
        createdAt: { ...(createdAfter && { $gt: createdAfter }), ...(after && { $lte: after.createdAt }) },
      }),
      ...(after && { $or: [{ createdAt: { $lt: after.createdAt } }, { _id: { $lt: after.jobId } }] }),
    };
    const hint = entryHash !== undefined ? BY_METADATA : ofKey ? BY_API_KEY : BY_TIME;
    return (await this.jobs.list(filter, { sort: BY_TIME, limit, hint })).map(jobOf);
  }

  /** Those of these addresses that are wallets of jobs, in lower case. */
  async walletsAmong(addresses: readonly string[], session: ClientSession): Promise<ReadonlySet<string>> {
    const checksummed = addresses.map((address) => getAddress(address));
    const rows = await this.jobs.rows
      .find({ paymentAddress: { $in: checksummed } }, { paymentAddress: 1 })
      .session(session)
      .lean<Pick<Job, 'paymentAddress'>[]>();
    return new Set(rows.map(({ paymentAddress }) => paymentAddress.toLowerCase()));
  }

  /**
   * Follows all later writes of existing jobs by any process, in the order of the database's log. `next` throws if the change
   * stream ends. @param waitMs how long the database waits for a write before `next` returns undefined, ms
   */
  changes(waitMs: number) {
    // A gateway cannot have cached a job before its insert.
    const rewritten = { operationType: { $ne: 'insert' } };
    const fields = { documentKey: 1, operationType: 1, 'updateDescription.updatedFields.status': 1 };
    const stream = this.jobs.rows.collection.watch([{ $match: rewritten }, { $project: fields }], {
      maxAwaitTimeMS: waitMs,
    });
    return {
      next: async () => {
        const write = (await stream.tryNext()) as StreamedWrite | null;
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

  /** Number of unpaid jobs, `upTo` at most. @param of only jobs of this client address or API key */
  async countUnpaid(
    upTo: number,
    session: ClientSession,
    of: { readonly clientAddress?: string | undefined; readonly apiKeyName?: string } = {},
  ): Promise<number> {
    const { clientAddress, apiKeyName } = of;
    const filter = {
      status: 'pending_payment',
      ...(clientAddress !== undefined && { clientAddress }),
      ...(apiKeyName !== undefined && { 'idempotency.apiKeyName': apiKeyName }),
    } as const;
    return this.jobs.rows.countDocuments(filter).session(session).limit(upTo);
  }

  /** Numbers of unpaid jobs, and of those that may give way, by the networks of their clients; without those of servers' keys. */
  async unpaidByNetworks(
    session: ClientSession,
  ): Promise<{ networks: readonly string[]; count: number; evictable: number }[]> {
    const groups = await this.jobs.rows
      .aggregate<{ _id: readonly string[] | null; count: number; evictable: number }>([
        { $match: OF_ADDRESSES },
        {
          $group: {
            _id: '$clientNetworks',
            count: { $sum: 1 },
            evictable: { $sum: { $cond: [IS_EVICTABLE, 1, 0] } },
          },
        },
      ])
      .session(session);
    return groups.flatMap(({ _id, ...unpaid }) => (_id ? [{ networks: _id, ...unpaid }] : []));
  }

  /** The newest unpaid job of a network that may give way, with the networks of its client. */
  async newestUnpaid(
    network: string,
    session: ClientSession,
  ): Promise<{ job: Job; networks: readonly string[] } | undefined> {
    const [row] = await this.jobs.list(
      { clientNetworks: network, ...OF_ADDRESSES, $expr: IS_EVICTABLE },
      { sort: { createdAt: -1 }, limit: 1, session },
    );
    return row && { job: jobOf(row), networks: row.clientNetworks ?? [] };
  }

  /** Token of the last paid job. Unpaid jobs are not shown, and the canary is not a visitor (docs/adr/0035). */
  async latestToken(): Promise<string | undefined> {
    const row = await this.jobs.rows
      .findOne({ activatedAt: { $exists: true }, 'idempotency.apiKeyName': { $ne: CANARY_API_KEY_NAME } })
      .sort({ activatedAt: -1 })
      .select({ tokenAddress: 1 })
      .lean<Pick<Job, 'tokenAddress'>>();
    return row?.tokenAddress;
  }
}

/** What a job of a status forgets about its client. An active one keeps its widest network, which shares the capacity with others. */
function forgottenIn(status: JobStatus) {
  if (status === 'pending_payment') return {};
  const widest = { clientNetworks: { $each: [], $slice: 1 } };
  if (status === 'active') return { $unset: { clientAddress: 1 } as const, $push: widest };
  return { $unset: { clientAddress: 1, clientNetworks: 1 } as const };
}

function toIdempotency({ requestHash, ...same }: IdempotencyClaim): NonNullable<CreatedJob['idempotency']> {
  return { ...same, orderHash: requestHash };
}

/** The claim of a job, if its request had an idempotency key. */
function claimsOf({ idempotency }: CreatedJob): readonly IdempotencyClaim[] {
  const { apiKeyName = '', keyHash, orderHash } = idempotency ?? {};
  return keyHash !== undefined && orderHash !== undefined ? [{ apiKeyName, keyHash, requestHash: orderHash }] : [];
}
