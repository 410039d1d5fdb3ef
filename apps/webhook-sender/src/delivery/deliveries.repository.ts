import { randomUUID } from 'node:crypto';
import type { listWebhookDeliveries } from '@maker/contracts';
import { Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { Clock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import type { WebhookMessage } from '../message/webhook-message.ts';
import type { Attempt } from './attempt.ts';
import { pauseAfter } from './next-attempt.ts';

interface KeptAttempt extends Omit<Attempt, 'retryAfterMs'> {
  readonly at: Date;
}

/** A message for one endpoint. */
export interface Delivery extends Omit<WebhookMessage, 'id'> {
  /** Of endpoint and event: `<endpoint>/<event id>`. */
  readonly id: string;
  readonly endpoint: string;
  readonly eventId: string;
  readonly state: 'waiting' | 'delivered';
  /** When the next attempt may be made; while one is under way, when it counts as lost. */
  readonly dueAt: Date;
  /** Of the attempt that is under way, or was when its process died. */
  readonly attemptId?: string;
  /** While an attempt is under way that began before an operator wanted the message again. */
  readonly wantedAgain?: boolean;
  /** Since when it is to be delivered: recorded, or wanted again. */
  readonly waitingSince: Date;
  /** Begun since then. */
  readonly attempts: number;
  /** Absent while it waits, which therefore never expires. */
  readonly deliveredAt?: Date;
  /** The latest, oldest first. */
  readonly log: readonly KeptAttempt[];
}

/** One whose attempt was begun here. */
export type BegunDelivery = Delivery & Required<Pick<Delivery, 'attemptId'>>;

/** Which deliveries are asked for; newest first. */
export type DeliveryFilter = z.output<typeof listWebhookDeliveries.request>;

/** Longer than an attempt takes: one that was begun and has not ended by then died with its process, ms. */
const ATTEMPT_LOST_AFTER_MS = 60_000;
const KEPT_ATTEMPTS = 20;
const KEPT_SECONDS = 30 * 86_400;

const schema = new EntitySchema<Delivery>('deliveries', {
  endpoint: String,
  eventId: String,
  jobId: String,
  type: String,
  occurredAt: Date,
  body: String,
  state: String,
  dueAt: Date,
  attemptId: String,
  wantedAgain: Boolean,
  waitingSince: Date,
  attempts: Number,
  deliveredAt: Date,
  log: [{ _id: false, at: Date, outcome: String, status: Number, answer: String, tookMs: Number }],
})
  .index({ endpoint: 1, state: 1, dueAt: 1 })
  .index({ endpoint: 1, state: 1, waitingSince: 1 })
  .index({ occurredAt: -1 })
  .index({ deliveredAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });

const idOf = (endpoint: string, eventId: string): string => `${endpoint}/${eventId}`;

/** What every endpoint is to be told, and how each attempt ended. */
@Injectable()
export class DeliveriesRepository {
  private readonly deliveries: EntityCollection<Delivery>;

  constructor(
    connection: Connection,
    private readonly clock: Clock,
  ) {
    this.deliveries = new EntityCollection(connection, schema);
  }

  /** Records a message for endpoints, due at once, in the transaction that takes the event in. */
  async record(
    { id, type, jobId, occurredAt, body }: WebhookMessage,
    endpoints: readonly string[],
    session: ClientSession,
  ): Promise<void> {
    const now = new Date(this.clock.now());
    const waiting = { state: 'waiting' as const, dueAt: now, waitingSince: now, attempts: 0, log: [] };
    const message = { eventId: id, jobId, type, occurredAt, body };
    const deliveries = endpoints.map((endpoint) => ({ id: idOf(endpoint, id), endpoint, ...message, ...waiting }));
    await this.deliveries.insert(deliveries, session);
  }

  /** Begins an attempt of whatever has been due for longest, so that no other replica begins it too. */
  async begin(endpoint: string): Promise<BegunDelivery | undefined> {
    const now = this.clock.now();
    const row = await this.deliveries.rows
      .findOneAndUpdate(
        { endpoint, state: 'waiting', dueAt: { $lte: new Date(now) } },
        {
          $set: { dueAt: new Date(now + ATTEMPT_LOST_AFTER_MS), attemptId: randomUUID() },
          $unset: { wantedAgain: 1 },
          $inc: { attempts: 1 },
        },
        { sort: { dueAt: 1 }, returnDocument: 'after' },
      )
      .lean<{ _id: string }>();
    return row ? (schema.toEntity(row) as BegunDelivery) : undefined;
  }

  /**
   * Records how an attempt ended. Where an operator has wanted the message meanwhile it is due again, whatever came of this one. One that
   * came too late to decide anything, since another has begun, is in the log all the same.
   */
  async end({ id: _id, attemptId, attempts }: BegunDelivery, { retryAfterMs, ...attempted }: Attempt): Promise<void> {
    const now = this.clock.now();
    const kept = { $concatArrays: ['$log', [{ $literal: { at: new Date(now), ...attempted } }]] };
    const log = { log: { $slice: [kept, -KEPT_ATTEMPTS] } };
    const ended =
      attempted.outcome === 'delivered'
        ? { state: 'delivered', deliveredAt: new Date(now) }
        : { dueAt: new Date(now + pauseAfter(attempts, retryAfterMs)) };
    const again = { dueAt: new Date(now), attempts: 0 };
    const { matchedCount } = await this.deliveries.rows.updateOne(
      { _id, attemptId },
      [
        { $replaceWith: { $mergeObjects: ['$$ROOT', { $cond: ['$wantedAgain', again, ended] }] } },
        { $set: log },
        { $unset: ['attemptId', 'wantedAgain'] },
      ],
      { updatePipeline: true },
    );
    if (matchedCount === 0) await this.deliveries.rows.updateOne({ _id }, [{ $set: log }], { updatePipeline: true });
  }

  /** What waits for an endpoint need not wait any longer; attempts that are under way keep their turn. */
  async wake(endpoint: string): Promise<void> {
    const now = new Date(this.clock.now());
    // Not by their time: one may begin while this is written, or by the clock of another replica.
    const idle = { endpoint, state: 'waiting', attemptId: null, dueAt: { $gt: now } };
    await this.deliveries.rows.updateMany(idle, { $set: { dueAt: now } });
  }

  /**
   * Delivers again, taken or not, under the same id and with the same content; what is under way once that attempt has ended.
   * @param which one message, or all since a time @returns how many
   */
  async redeliver(endpoint: string, which: { readonly eventId: string } | { readonly since: Date }): Promise<number> {
    const now = new Date(this.clock.now());
    const filter =
      'eventId' in which ? { _id: idOf(endpoint, which.eventId) } : { endpoint, occurredAt: { $gte: which.since } };
    const idle = { state: 'waiting', dueAt: now, attempts: 0 };
    const change = { $cond: [{ $gt: ['$attemptId', null] }, { wantedAgain: true }, idle] };
    const result = await this.deliveries.rows.updateMany(
      filter,
      [{ $replaceWith: { $mergeObjects: ['$$ROOT', change, { waitingSince: now }] } }, { $unset: 'deliveredAt' }],
      { updatePipeline: true },
    );
    return result.matchedCount;
  }

  async list({ endpoint, state, jobId, limit }: DeliveryFilter): Promise<Delivery[]> {
    const filter = {
      ...(endpoint !== undefined && { endpoint }),
      ...(state !== undefined && { state }),
      ...(jobId !== undefined && { jobId }),
    };
    return this.deliveries.list(filter, { sort: { occurredAt: -1 }, limit });
  }

  /** What waits for an endpoint, and since when the oldest of it does. */
  async waiting(endpoint: string) {
    const filter = { endpoint, state: 'waiting' } as const;
    const [count, oldest] = await Promise.all([
      this.deliveries.rows.countDocuments(filter),
      this.deliveries.rows
        .findOne(filter, { waitingSince: 1 })
        .sort({ waitingSince: 1 })
        .lean<Pick<Delivery, 'waitingSince'>>(),
    ]);
    return { count, oldest: oldest?.waitingSince };
  }
}
