import { AMOUNT, COUNT, EntitySchema, timeAs } from '@maker/persistence';
import type { Origin } from '@maker/service-kit';
import { Schema } from 'mongoose';
import type { Job } from './job.ts';

/** Index of the list of one API key's jobs, with or without a status. */
export const BY_API_KEY = { 'idempotency.apiKeyName': 1, status: 1, createdAt: -1, _id: -1 } as const;

/** Index of the search by an entry of metadata. */
export const BY_METADATA = { metadataHashes: 1, 'idempotency.apiKeyName': 1, createdAt: -1, _id: -1 } as const;

/** Index of the list of all jobs. */
export const BY_TIME = { createdAt: -1, _id: -1 } as const;

/** A job with the fields that its creation adds to its row. */
export interface CreatedJob extends Job {
  /** Address of the client that created the job, until the job leaves `pending_payment`. Absent if a server's key created it. */
  readonly clientAddress?: string;
  /** Networks of that client, widest first, for the same time; then only the widest, until the job ends. */
  readonly clientNetworks?: readonly string[];
  /** When the job booked, by the database's clock, until it uses its booking. Source: docs/adr/0155. */
  readonly bookedAt?: Date;
  /**
   * `apiKeyName` names the API key that created the job; jobs of earlier releases without an idempotency key lack it. The rest is the
   * claim on that idempotency key, if the request had one, separate for each API key: `keyHash` is the hash of the idempotency key,
   * because that key gives the stop secret, and `orderHash` the hash of the job request. Source: docs/adr/0172.
   */
  readonly idempotency?: { readonly apiKeyName: string; readonly keyHash?: string; readonly orderHash?: string };
  /** Hashes of the entries of the metadata, for searches. Absent without metadata, and for jobs of earlier releases. */
  readonly metadataHashes?: readonly string[];
  /** The request that created the job: visitors quote its id, and operators search the logs for it. */
  readonly origin?: Origin;
}

/** Schema of `jobs`, with unique indexes that decide between concurrent writers. */
export const jobSchema = new EntitySchema<CreatedJob, 'jobId'>(
  'jobs',
  {
    tokenAddress: String,
    paymentAddress: String,
    walletIndex: Number,
    paymentAmountWei: AMOUNT,
    paymentDeadlineMs: timeAs('paymentDeadlineAt'),
    returnAddress: String,
    requestedReturnAddress: String,
    proposedReturnAddress: String,
    status: String,
    assessment: {
      inTimeWei: AMOUNT,
      lateWei: AMOUNT,
      sufficient: Boolean,
      underpaid: Boolean,
      overpaid: Boolean,
      late: Boolean,
    },
    seen: { amountWei: AMOUNT, revision: Number },
    droppedWei: AMOUNT,
    deadlinePassed: { receivedWei: AMOUNT },
    payment: { payer: String, amountWei: AMOUNT, transactions: Schema.Types.Mixed },
    paidAtMs: timeAs('paidAt'),
    plan: Schema.Types.Mixed,
    offeredPlan: Schema.Types.Mixed,
    terms: Schema.Types.Mixed,
    booked: { gasPerSecond: COUNT, requestsPerHour: COUNT },
    hyperCore: { amountWei: AMOUNT, checkedAtMs: timeAs('checkedAt'), found: Boolean },
    foundTokens: Schema.Types.Mixed,
    createdAtMs: timeAs('createdAt'),
    activatedAtMs: timeAs('activatedAt'),
    endedAtMs: timeAs('endedAt'),
    failureReason: String,
    stopRequestedAtMs: timeAs('stopRequestedAt'),
    metadata: Schema.Types.Mixed,
    metadataHashes: { type: [String], default: undefined },
    clientAddress: String,
    clientNetworks: [String],
    bookedAt: Date,
    idempotency: { apiKeyName: String, keyHash: String, orderHash: String },
    origin: { requestId: String, traceparent: String },
  },
  'jobId',
)
  .index({ walletIndex: 1 }, { unique: true })
  .index({ paymentAddress: 1 }, { unique: true })
  .index(
    { 'idempotency.apiKeyName': 1, 'idempotency.keyHash': 1 },
    { unique: true, partialFilterExpression: { 'idempotency.keyHash': { $exists: true } } },
  )
  .index({ status: 1 })
  .index({ clientAddress: 1 }, { partialFilterExpression: { clientAddress: { $exists: true } } })
  // For the newest unpaid job of a network, when too many jobs are unpaid.
  .index({ clientNetworks: 1, createdAt: -1 }, { partialFilterExpression: { clientNetworks: { $exists: true } } })
  // For the latest job of the landing page.
  .index({ activatedAt: -1 }, { partialFilterExpression: { activatedAt: { $exists: true } } })
  // For the statistics of operators, which read flagged jobs only.
  .index({ 'assessment.late': 1 }, { partialFilterExpression: { 'assessment.late': true } })
  .index({ 'assessment.underpaid': 1 }, { partialFilterExpression: { 'assessment.underpaid': true } })
  .index({ 'assessment.overpaid': 1 }, { partialFilterExpression: { 'assessment.overpaid': true } })
  .index({ 'hyperCore.found': 1 }, { partialFilterExpression: { 'hyperCore.found': true } })
  .index(BY_TIME)
  .index(BY_API_KEY)
  .index(BY_METADATA, { partialFilterExpression: { metadataHashes: { $exists: true } } });

/** The job of a row, without the fields that its creation added. */
export function jobOf({
  clientAddress: _client,
  clientNetworks: _networks,
  bookedAt: _bookedAt,
  idempotency: _claim,
  metadataHashes: _hashes,
  origin: _origin,
  ...job
}: CreatedJob): Job {
  return job;
}
