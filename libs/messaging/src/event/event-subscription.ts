import { doorbellOf, type EventSource } from '@maker/contracts';
import { type Lease, LeaseLostError, Leases } from '@maker/persistence';
import { Clock, Logger, PeriodicTask } from '@maker/service-kit';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { NATS_CONNECTION } from '../connection/nats-connection.ts';
import { EventMetrics } from '../messaging.metrics.ts';
import { RequestClient } from '../request/request-client.ts';
import { EventConsumer } from './event-consumer.ts';
import { Inbox } from './inbox.ts';
import { LogReader, type ReaderParts } from './log-reader.ts';
import { ParkedEvents } from './parked-events.ts';

/** Time between two rounds, ms: a message that rings may be lost. */
const ROUND_MS = 1000;
const LEASE = 'events';
/** How long the events of a service wait after the process died that applied them, ms. */
const LEASE_MS = 3000;
/** Rounds between two searches of a replica without the lease for events that a dead process parked. */
const PARKED_ROUNDS = 15;

/**
 * Reads the logs of all sources: when a source rings, and once a second. One replica at a time applies events; it holds a lease while
 * it does. The lease only saves work: two replicas that both apply an event do it once and in order, because of the inbox.
 * Source: docs/adr/0166.
 */
@Injectable()
export class EventSubscription {
  private readonly task: PeriodicTask;
  private readonly doorbells = new Map<EventSource, Subscription>();
  private readonly readers = new Map<EventSource, LogReader>();
  private readonly parts: ReaderParts;
  private lease: Lease | undefined;
  private renewedAtMs = 0;
  private claiming: Promise<boolean> | undefined;
  private isConnected = true;
  private rounds = 0;

  constructor(
    @Inject(NATS_CONNECTION) private readonly nats: NatsConnection,
    private readonly leases: Leases,
    private readonly consumer: EventConsumer,
    private readonly logger: Logger,
    private readonly parked: ParkedEvents,
    inbox: Inbox,
    requests: RequestClient,
    clock: Clock,
    metrics: EventMetrics,
  ) {
    this.parts = { consumer, inbox, parked, requests, clock, logger, metrics, claim: () => this.claim() };
    this.task = new PeriodicTask('event subscription', ROUND_MS, logger, () => this.round());
  }

  start(): void {
    this.task.start();
    void this.watchConnection();
  }

  /** Begins no new event and waits for those that are being applied. */
  async stop(): Promise<void> {
    for (const doorbell of this.doorbells.values()) doorbell.unsubscribe();
    await this.task.stop();
    try {
      await Promise.all(Array.from(this.readers.values(), (reader) => reader.stop()));
      if (this.lease) await this.leases.release(this.lease);
    } catch (error) {
      this.logger.warn({ err: error }, 'lease of the events not released, another replica waits until it expires');
    }
  }

  private async round(): Promise<void> {
    for (const source of this.consumer.typesBySource().keys()) await this.open(source);
    const readers = [...this.readers.values()];
    if (readers.length === 0) return;
    for (const reader of readers) reader.wake();
    if (this.lease && readers.some(({ isBusy }) => isBusy)) await this.claim();
    if (!this.lease && this.rounds++ % PARKED_ROUNDS === 0 && (await this.parked.isAny())) await this.claim();
    if (this.lease) await Promise.all(readers.map((reader) => reader.tend()));
  }

  private async open(source: EventSource): Promise<void> {
    if (this.readers.has(source)) return;
    const reader = await LogReader.open(source, this.parts);
    if (!this.isConnected) reader.disconnected();
    this.readers.set(source, reader);
    this.doorbells.set(source, this.nats.subscribe(doorbellOf(source), { callback: () => reader.wake(true) }));
  }

  private async claim(): Promise<boolean> {
    if (this.lease && performance.now() - this.renewedAtMs < ROUND_MS) return true;
    this.claiming ??= this.renewOrAcquire().finally(() => {
      this.claiming = undefined;
    });
    return this.claiming;
  }

  private async renewOrAcquire(): Promise<boolean> {
    const isKept = this.lease !== undefined && (await this.renew(this.lease));
    if (!isKept) {
      this.lease = undefined;
      const lease = await this.leases.acquire(LEASE, LEASE_MS);
      if (!lease) return false;
      // Another replica may have applied and parked events since.
      await Promise.all(Array.from(this.readers.values(), (reader) => reader.reload()));
      this.lease = lease;
    }
    this.renewedAtMs = performance.now();
    return true;
  }

  private async renew(lease: Lease): Promise<boolean> {
    try {
      await this.leases.renew(lease, LEASE_MS);
      return true;
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error;
      this.logger.info('another replica applies the events');
      return false;
    }
  }

  private async watchConnection(): Promise<void> {
    for await (const { type } of this.nats.status()) {
      if (type !== 'disconnect' && type !== 'reconnect') continue;
      this.isConnected = type === 'reconnect';
      for (const reader of this.readers.values())
        if (this.isConnected) reader.reconnected();
        else reader.disconnected();
    }
  }
}
