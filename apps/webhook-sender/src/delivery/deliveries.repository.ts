import { randomUUID } from 'node:crypto';
import { Connection, rowSchema } from '@maker/persistence';
import { Clock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { type ClientSession, type Model, type QueryFilter, Schema } from 'mongoose';
import type { WebhookMessage } from '../message/webhook-message.ts';
import type { Attempt, Outcome } from './attempt.ts';
import { pauseAfter } from './next-attempt.ts';

/** An attempt as it is kept. */
export interface AttemptRow {
  at: Date;
  outcome: Outcome;
  status?: number;
  answer: string;
  tookMs: number;
}

/** A message for one endpoint. */
export interface DeliveryRow {
  /** Endpoint and event. */
  _id: string;
  endpoint: string;
  eventId: string;
  jobId: string;
  type: string;
  occurredAt: Date;
  /** Written once: an id never changes its content. */
  body: string;
  state: 'waiting' | 'delivered';
  /** When the next attempt may be made; while one is under way, when it counts as lost. */
  dueAt: Date;
  /** Of the attempt that is under way, or was when its process died. */
  attemptId?: string;
  /** While an attempt is under way that began before an operator wanted the message again. */
  wantedAgain?: boolean;
  /** Since when it is to be delivered: recorded, or wanted again. */
  waitingSince: Date;
  /** Begun since then. */
  attempts: number;
  /** Absent while it waits, which therefore never expires. */
  deliveredAt?: Date;
  /** The latest, oldest first. */
  log: AttemptRow[];
}

/** One whose attempt was begun here. */
export type BegunDelivery = DeliveryRow & Required<Pick<DeliveryRow, 'attemptId'>>;

/** Which deliveries are asked for; newest first. */
export interface DeliveryFilter {
  readonly endpoint?: string | undefined;
  readonly state?: DeliveryRow['state'] | undefined;
  readonly jobId?: string | undefined;
  readonly limit: number;
}

/** What waits for an endpoint. */
export interface Waiting {
  readonly count: number;
  readonly oldest?: Date;
}

/** Longer than an attempt takes: one that was begun and has not ended by then died with its process, ms. */
const ATTEMPT_LOST_AFTER_MS = 60_000;
const KEPT_ATTEMPTS = 20;
const KEPT_SECONDS = 30 * 86_400;

const attempt = new Schema<AttemptRow>(
  { at: Date, outcome: String, status: Number, answer: String, tookMs: Number },
  { _id: false },
);

const schema = rowSchema<DeliveryRow>('deliveries', {
  _id: String,
  endpoint: { type: String, required: true },
  eventId: { type: String, required: true },
  jobId: { type: String, required: true },
  type: { type: String, required: true },
  occurredAt: { type: Date, required: true },
  body: { type: String, required: true },
  state: { type: String, required: true },
  dueAt: { type: Date, required: true },
  attemptId: String,
  wantedAgain: Boolean,
  waitingSince: { type: Date, required: true },
  attempts: { type: Number, required: true },
  deliveredAt: Date,
  log: [attempt],
});
schema.index({ endpoint: 1, state: 1, dueAt: 1 });
schema.index({ endpoint: 1, state: 1, waitingSince: 1 });
schema.index({ occurredAt: -1 });
schema.index({ deliveredAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });

const idOf = (endpoint: string, eventId: string): string => `${endpoint}/${eventId}`;

/** What every endpoint is to be told, and how each attempt ended. */
@Injectable()
export class DeliveriesRepository {
  private readonly rows: Model<DeliveryRow>;

  constructor(
    connection: Connection,
    private readonly clock: Clock,
  ) {
    this.rows = connection.model<DeliveryRow>('Delivery', schema);
  }

  /** Records a message for endpoints, due at once, in the transaction that takes the event in. */
  async record(
    { id, type, jobId, occurredAt, body }: WebhookMessage,
    endpoints: readonly string[],
    session: ClientSession,
  ): Promise<void> {
    if (endpoints.length === 0) return;
    const now = new Date(this.clock.now());
    const waiting = { state: 'waiting' as const, dueAt: now, waitingSince: now, attempts: 0, log: [] };
    const rows = endpoints.map((endpoint) => ({
      _id: idOf(endpoint, id),
      endpoint,
      eventId: id,
      ...{ jobId, type, occurredAt, body },
      ...waiting,
    }));
    await this.rows.insertMany(rows, { session });
  }

  /** Begins an attempt of whatever has been due for longest, so that no other replica begins it too. */
  async begin(endpoint: string): Promise<BegunDelivery | undefined> {
    const now = this.clock.now();
    const row = await this.rows
      .findOneAndUpdate(
        { endpoint, state: 'waiting', dueAt: { $lte: new Date(now) } },
        {
          $set: { dueAt: new Date(now + ATTEMPT_LOST_AFTER_MS), attemptId: randomUUID() },
          $unset: { wantedAgain: 1 },
          $inc: { attempts: 1 },
        },
        { sort: { dueAt: 1 }, returnDocument: 'after' },
      )
      .lean<BegunDelivery>();
    return row ?? undefined;
  }

  /**
   * Records how an attempt ended. Where an operator has wanted the message meanwhile it is due again, whatever came of this one. One that
   * came too late to decide anything, since another has begun, is in the log all the same.
   */
  async end({ _id, attemptId, attempts }: BegunDelivery, { retryAfterMs, ...attempted }: Attempt): Promise<void> {
    const now = this.clock.now();
    const kept = { $concatArrays: ['$log', [{ $literal: { at: new Date(now), ...attempted } }]] };
    const log = { log: { $slice: [kept, -KEPT_ATTEMPTS] } };
    const ended =
      attempted.outcome === 'delivered'
        ? { state: 'delivered', deliveredAt: new Date(now) }
        : { dueAt: new Date(now + pauseAfter(attempts, retryAfterMs)) };
    const again = { dueAt: new Date(now), attempts: 0 };
    const { matchedCount } = await this.rows.updateOne(
      { _id, attemptId },
      [
        { $replaceWith: { $mergeObjects: ['$$ROOT', { $cond: ['$wantedAgain', again, ended] }] } },
        { $set: log },
        { $unset: ['attemptId', 'wantedAgain'] },
      ],
      { updatePipeline: true },
    );
    if (matchedCount === 0) await this.rows.updateOne({ _id }, [{ $set: log }], { updatePipeline: true });
  }

  /** What waits for an endpoint need not wait any longer; attempts that are under way keep their turn. */
  async wake(endpoint: string): Promise<void> {
    const now = new Date(this.clock.now());
    // Not by their time: one may begin while this is written, or by the clock of another replica.
    const idle: QueryFilter<DeliveryRow> = { endpoint, state: 'waiting', attemptId: null, dueAt: { $gt: now } };
    await this.rows.updateMany(idle, { $set: { dueAt: now } });
  }

  /**
   * Delivers again, taken or not, under the same id and with the same content; what is under way once that attempt has ended.
   * @param which one message, or all since a time @returns how many
   */
  async redeliver(endpoint: string, which: { readonly eventId: string } | { readonly since: Date }): Promise<number> {
    const now = new Date(this.clock.now());
    const filter: QueryFilter<DeliveryRow> =
      'eventId' in which ? { _id: idOf(endpoint, which.eventId) } : { endpoint, occurredAt: { $gte: which.since } };
    const idle = { state: 'waiting', dueAt: now, attempts: 0 };
    const change = { $cond: [{ $gt: ['$attemptId', null] }, { wantedAgain: true }, idle] };
    const result = await this.rows.updateMany(
      filter,
      [{ $replaceWith: { $mergeObjects: ['$$ROOT', change, { waitingSince: now }] } }, { $unset: 'deliveredAt' }],
      { updatePipeline: true },
    );
    return result.matchedCount;
  }

  async list({ endpoint, state, jobId, limit }: DeliveryFilter): Promise<DeliveryRow[]> {
    const filter: QueryFilter<DeliveryRow> = {
      ...(endpoint !== undefined && { endpoint }),
      ...(state !== undefined && { state }),
      ...(jobId !== undefined && { jobId }),
    };
    return this.rows.find(filter).sort({ occurredAt: -1 }).limit(limit).lean<DeliveryRow[]>();
  }

  async waiting(endpoint: string): Promise<Waiting> {
    const filter = { endpoint, state: 'waiting' } as const;
    const [count, oldest] = await Promise.all([
      this.rows.countDocuments(filter),
      this.rows.findOne(filter, { waitingSince: 1 }).sort({ waitingSince: 1 }).lean<DeliveryRow>(),
    ]);
    return { count, ...(oldest && { oldest: oldest.waitingSince }) };
  }
}
