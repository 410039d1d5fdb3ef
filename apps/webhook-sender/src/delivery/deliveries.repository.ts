import { randomUUID } from 'node:crypto';
import type { listWebhookDeliveries } from '@maker/contracts';
import { Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { Clock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import type { WebhookMessage } from '../webhook-message.ts';
import type { Attempt } from './attempt.ts';
import { pauseAfter } from './next-attempt.ts';

interface KeptAttempt extends Omit<Attempt, 'retryAfterMs'> {
  readonly at: Date;
}

/** A message for one endpoint. */
export interface Delivery extends Omit<WebhookMessage, 'id'> {
  /** `<endpoint>/<event id>`. */
  readonly id: string;
  readonly endpoint: string;
  readonly eventId: string;
  readonly state: 'waiting' | 'delivered';
  /** Earliest time of the next attempt; during an attempt, the time at which it counts as lost. */
  readonly dueAt: Date;
  /** Id of the current attempt, or of one whose process died. */
  readonly attemptId?: string;
  /** Whether an operator requested a redelivery during the current attempt. */
  readonly wantedAgain?: boolean;
  /** When the message was recorded, or its redelivery was requested. */
  readonly waitingSince: Date;
  /** Number of attempts since then. */
  readonly attempts: number;
  /** Absent while the message waits: a waiting message never expires. */
  readonly deliveredAt?: Date;
  /** The latest attempts, oldest first. */
  readonly log: readonly KeptAttempt[];
}

/** A delivery that this process claimed for an attempt. */
export type ClaimedDelivery = Delivery & Required<Pick<Delivery, 'attemptId'>>;

/** Filter of a list of deliveries. */
export type DeliveryFilter = z.output<typeof listWebhookDeliveries.request>;

/** Time after which an unfinished attempt counts as lost with its process, ms. Longer than any attempt. */
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

/** Stores the messages for each endpoint, with their attempts. */
@Injectable()
export class DeliveriesRepository {
  private readonly deliveries: EntityCollection<Delivery>;

  constructor(
    connection: Connection,
    private readonly clock: Clock,
  ) {
    this.deliveries = new EntityCollection(connection, schema);
  }

  /** Records a message for endpoints, due immediately, in the transaction that consumes the event. */
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

  /** Claims the longest due delivery for an attempt, so that no other replica attempts it too. */
  async claim(endpoint: string): Promise<ClaimedDelivery | undefined> {
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
    return row ? (schema.toEntity(row) as ClaimedDelivery) : undefined;
  }

  /**
   * Records the outcome of an attempt. If an operator requested a redelivery meanwhile, the message is due again. If another attempt
   * has replaced this one, the outcome only goes to the log.
   */
  async end({ id: _id, attemptId, attempts }: ClaimedDelivery, { retryAfterMs, ...attempted }: Attempt): Promise<void> {
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

  /** Makes the waiting messages of an endpoint due now; current attempts are not changed. */
  async wake(endpoint: string): Promise<void> {
    const now = new Date(this.clock.now());
    // Selects by attempt id, not by time: an attempt may start now, or by the clock of another replica.
    const idle = { endpoint, state: 'waiting', attemptId: null, dueAt: { $gt: now } };
    await this.deliveries.rows.updateMany(idle, { $set: { dueAt: now } });
  }

  /**
   * Requests a redelivery with the same id and content, also of delivered messages. A current attempt ends first.
   * @param which one message, or all since a time @returns the number of messages
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

  /** Number of waiting messages of an endpoint, and the start of the oldest wait. */
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
