import type { JobPlan } from '@maker/contracts';
import { rowSchema } from '@maker/persistence';
import type { JobStatus, Pace } from '@maker/rules';
import type { Origin } from '@maker/service-kit';
import { Schema } from 'mongoose';
import type { HyperCoreMoney, Job } from './job.ts';

/** A job in the collection `jobs`: wei as decimal strings, times as dates. */
export interface JobRow {
  _id: string;
  tokenAddress: string;
  paymentAddress: string;
  walletIndex: number;
  paymentAmountWei: string;
  paymentDeadlineAt: Date;
  returnAddress: string | null;
  requestedReturnAddress?: string | null;
  status: JobStatus;
  assessment: {
    inTimeWei: string;
    lateWei: string;
    sufficient: boolean;
    underpaid: boolean;
    overpaid: boolean;
    late: boolean;
  };
  seen?: { amountWei: string; revision: number };
  droppedWei?: string;
  deadlinePassed?: { receivedWei: string };
  payment?: { payer: string | null; amountWei: string };
  plan?: JobPlan;
  /** As numbers, for sums in the database: gas and requests are far below 2^53. */
  booked?: { gasPerSecond: number; requestsPerHour: number };
  hyperCore?: { amountWei: string; lookedAt: Date; found: boolean };
  createdAt: Date;
  activatedAt?: Date;
  endedAt?: Date;
  failureReason?: string;
  stopRequestedAt?: Date;
  /** Who asked for it, while it waits for its payment. */
  clientAddress?: string;
  /** Hashes of the secrets that stop it: one for each answer of its creation, the newest of them. */
  stopSecretHashes?: string[];
  /** The claim on an idempotency key, private to the API key that used it; `orderHash` is the hash of the job request. */
  idempotency?: { apiKeyName: string; key: string; orderHash: string };
  /** The request that created it: what a visitor quotes and an operator searches the logs for. */
  origin?: Origin;
}

const nested = { _id: false, versionKey: false } as const;

/** Schema of `jobs` with the unique indexes that decide between concurrent writers. */
export const jobRowSchema = rowSchema<JobRow>('jobs', {
  _id: String,
  tokenAddress: String,
  paymentAddress: String,
  walletIndex: Number,
  paymentAmountWei: String,
  paymentDeadlineAt: Date,
  returnAddress: String,
  requestedReturnAddress: String,
  status: String,
  assessment: new Schema(
    {
      inTimeWei: String,
      lateWei: String,
      sufficient: Boolean,
      underpaid: Boolean,
      overpaid: Boolean,
      late: Boolean,
    },
    nested,
  ),
  seen: new Schema({ amountWei: String, revision: Number }, nested),
  droppedWei: String,
  deadlinePassed: new Schema({ receivedWei: String }, nested),
  payment: new Schema({ payer: String, amountWei: String }, nested),
  plan: Schema.Types.Mixed,
  booked: new Schema({ gasPerSecond: Number, requestsPerHour: Number }, nested),
  hyperCore: new Schema({ amountWei: String, lookedAt: Date, found: Boolean }, nested),
  createdAt: Date,
  activatedAt: Date,
  endedAt: Date,
  failureReason: String,
  stopRequestedAt: Date,
  clientAddress: String,
  stopSecretHashes: { type: [String], default: undefined },
  idempotency: new Schema({ apiKeyName: String, key: String, orderHash: String }, nested),
  origin: new Schema({ requestId: String, traceparent: String }, nested),
})
  .index({ walletIndex: 1 }, { unique: true })
  .index({ paymentAddress: 1 }, { unique: true })
  .index(
    { 'idempotency.apiKeyName': 1, 'idempotency.key': 1 },
    { unique: true, partialFilterExpression: { 'idempotency.key': { $exists: true } } },
  )
  .index({ status: 1 })
  .index({ clientAddress: 1 }, { partialFilterExpression: { clientAddress: { $exists: true } } })
  // For the latest job of the landing page.
  .index({ activatedAt: -1 }, { partialFilterExpression: { activatedAt: { $exists: true } } })
  // For the statistics of operators, which look at flagged jobs alone.
  .index({ 'assessment.late': 1 }, { partialFilterExpression: { 'assessment.late': true } })
  .index({ 'assessment.underpaid': 1 }, { partialFilterExpression: { 'assessment.underpaid': true } })
  .index({ 'assessment.overpaid': 1 }, { partialFilterExpression: { 'assessment.overpaid': true } })
  .index({ 'hyperCore.found': 1 }, { partialFilterExpression: { 'hyperCore.found': true } })
  .index({ createdAt: -1 });

/** A job as stored, but for what its creation adds: the claim on an idempotency key, the origin, hashes of secrets, who asked. */
export function toRow(job: Job): Omit<JobRow, 'idempotency' | 'origin' | 'stopSecretHashes' | 'clientAddress'> {
  const { assessment } = job;
  return {
    _id: job.jobId,
    tokenAddress: job.tokenAddress,
    paymentAddress: job.paymentAddress,
    walletIndex: job.walletIndex,
    paymentAmountWei: job.paymentAmountWei.toString(),
    paymentDeadlineAt: new Date(job.paymentDeadlineMs),
    returnAddress: job.returnAddress,
    requestedReturnAddress: job.requestedReturnAddress,
    status: job.status,
    assessment: {
      ...assessment,
      inTimeWei: assessment.inTimeWei.toString(),
      lateWei: assessment.lateWei.toString(),
    },
    ...(job.seen && { seen: { ...job.seen, amountWei: job.seen.amountWei.toString() } }),
    droppedWei: job.droppedWei.toString(),
    ...(job.deadlinePassed ? { deadlinePassed: { receivedWei: job.deadlinePassed.receivedWei.toString() } } : {}),
    ...(job.payment ? { payment: { payer: job.payment.payer, amountWei: job.payment.amountWei.toString() } } : {}),
    ...(job.plan ? { plan: job.plan } : {}),
    ...(job.booked ? { booked: storedPace(job.booked) } : {}),
    ...(job.hyperCore && { hyperCore: hyperCoreRow(job.hyperCore) }),
    createdAt: new Date(job.createdAtMs),
    ...(job.activatedAtMs === undefined ? {} : { activatedAt: new Date(job.activatedAtMs) }),
    ...(job.endedAtMs === undefined ? {} : { endedAt: new Date(job.endedAtMs) }),
    ...(job.failureReason === undefined ? {} : { failureReason: job.failureReason }),
    ...(job.stopRequestedAtMs === undefined ? {} : { stopRequestedAt: new Date(job.stopRequestedAtMs) }),
  };
}

function hyperCoreRow({ amountWei, lookedAtMs }: HyperCoreMoney) {
  return { amountWei: amountWei.toString(), lookedAt: new Date(lookedAtMs), found: amountWei > 0n };
}

/** The job that a row holds. */
export function fromRow(row: JobRow): Job {
  const { assessment } = row;
  return {
    jobId: row._id,
    tokenAddress: row.tokenAddress,
    paymentAddress: row.paymentAddress,
    walletIndex: row.walletIndex,
    paymentAmountWei: BigInt(row.paymentAmountWei),
    paymentDeadlineMs: row.paymentDeadlineAt.getTime(),
    returnAddress: row.returnAddress,
    requestedReturnAddress: row.requestedReturnAddress ?? null,
    status: row.status,
    assessment: {
      ...assessment,
      inTimeWei: BigInt(assessment.inTimeWei),
      lateWei: BigInt(assessment.lateWei),
    },
    ...(row.seen && { seen: { revision: row.seen.revision, amountWei: BigInt(row.seen.amountWei) } }),
    droppedWei: BigInt(row.droppedWei ?? 0),
    ...(row.deadlinePassed ? { deadlinePassed: { receivedWei: BigInt(row.deadlinePassed.receivedWei) } } : {}),
    ...(row.payment ? { payment: { payer: row.payment.payer, amountWei: BigInt(row.payment.amountWei) } } : {}),
    ...(row.plan ? { plan: row.plan } : {}),
    ...(row.booked ? { booked: paceOf(row.booked) } : {}),
    ...(row.hyperCore && {
      hyperCore: { amountWei: BigInt(row.hyperCore.amountWei), lookedAtMs: row.hyperCore.lookedAt.getTime() },
    }),
    createdAtMs: row.createdAt.getTime(),
    ...(row.activatedAt ? { activatedAtMs: row.activatedAt.getTime() } : {}),
    ...(row.endedAt ? { endedAtMs: row.endedAt.getTime() } : {}),
    ...(row.failureReason === undefined ? {} : { failureReason: row.failureReason }),
    ...(row.stopRequestedAt ? { stopRequestedAtMs: row.stopRequestedAt.getTime() } : {}),
  };
}

function storedPace({ gasPerSecond, requestsPerHour }: Pace): NonNullable<JobRow['booked']> {
  return { gasPerSecond: Number(gasPerSecond), requestsPerHour: Number(requestsPerHour) };
}

function paceOf({ gasPerSecond, requestsPerHour }: NonNullable<JobRow['booked']>): Pace {
  return { gasPerSecond: BigInt(gasPerSecond), requestsPerHour: BigInt(requestsPerHour) };
}
