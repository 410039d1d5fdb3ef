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
/** How long the events of a service wait after the process died that read them, ms. */
const LEASE_MS = 3000;

interface Reading {
  readonly lease: Lease;
  readonly readers: Map<EventSource, LogReader>;
}

/**
 * Reads the logs of all sources in one replica at a time: when a source rings, and once a second. The lease only saves work. Two
 * replicas that both read apply each event once and in order, because of the inbox. Source: docs/adr/0166.
 */
@Injectable()
export class EventSubscription {
  private readonly task: PeriodicTask;
  private readonly doorbells = new Map<EventSource, Subscription>();
  private readonly parts: ReaderParts;
  private reading: Reading | undefined;
  private isConnected = true;

  constructor(
    @Inject(NATS_CONNECTION) private readonly nats: NatsConnection,
    private readonly leases: Leases,
    private readonly consumer: EventConsumer,
    private readonly logger: Logger,
    inbox: Inbox,
    parked: ParkedEvents,
    requests: RequestClient,
    clock: Clock,
    metrics: EventMetrics,
  ) {
    this.parts = { consumer, inbox, parked, requests, clock, logger, metrics };
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
    const { reading } = this;
    if (!reading) return;
    await Promise.all(Array.from(reading.readers.values(), (reader) => reader.stop()));
    await this.leases.release(reading.lease);
  }

  private async round(): Promise<void> {
    const sources = [...this.consumer.typesBySource().keys()];
    if (sources.length === 0) return;
    this.reading = await this.renewed();
    if (!this.reading) return;
    const { readers } = this.reading;
    for (const source of sources) {
      this.listen(source);
      if (!readers.has(source)) readers.set(source, await LogReader.open(source, this.parts));
    }
    // A request without a connection would wait for its time limit after the connection is back.
    if (this.isConnected) for (const reader of readers.values()) reader.wake();
    await Promise.all(Array.from(readers.values(), (reader) => reader.tend()));
  }

  /** @returns undefined while another replica reads */
  private async renewed(): Promise<Reading | undefined> {
    const { reading } = this;
    if (!reading) {
      const lease = await this.leases.acquire(LEASE, LEASE_MS);
      return lease && { lease, readers: new Map() };
    }
    try {
      await this.leases.renew(reading.lease, LEASE_MS);
      return reading;
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error;
      this.logger.warn({ err: error }, 'another replica reads the events');
      await Promise.all(Array.from(reading.readers.values(), (reader) => reader.stop()));
      return undefined;
    }
  }

  private listen(source: EventSource): void {
    if (this.doorbells.has(source)) return;
    const callback = () => this.reading?.readers.get(source)?.wake();
    this.doorbells.set(source, this.nats.subscribe(doorbellOf(source), { callback }));
  }

  private async watchConnection(): Promise<void> {
    for await (const { type } of this.nats.status()) {
      if (type === 'disconnect') this.isConnected = false;
      if (type !== 'reconnect') continue;
      this.isConnected = true;
      for (const reader of this.reading?.readers.values() ?? []) reader.reconnected();
    }
  }
}
