import type { Event, EventContract, EventSource } from '@maker/contracts';
import { eventSchema } from '@maker/contracts';
import { Connection, inTransaction } from '@maker/persistence';
import { type BatchPiece, BatchQueue, inSpan, Logger, runWithRequestId } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { EventMetrics } from '../messaging.metrics.ts';
import { EventTooEarlyError } from './event-too-early.ts';
import { Inbox, isSecondDelivery } from './inbox.ts';

/** An event with its data parsed. */
export type ParsedEvent<Data> = Omit<Event, 'data'> & { readonly data: Data };

/** The effect of an event, in one transaction with its inbox row; it may run more than once before it commits. */
export type EventHandler<Data> = (event: ParsedEvent<Data>, session: ClientSession) => Promise<void>;

/** The effects of several events of one type, in one transaction with their inbox rows. They never share an id. */
export type EventsHandler<Data> = (
  events: readonly BatchPiece<ParsedEvent<Data>>[],
  session: ClientSession,
) => Promise<void>;

/**
 * Finds the proof of an event before the transaction of its effect: a transaction contains no requests.
 * @returns undefined where the event is refuted and has no effect @throws while the result is unknown: the event is retried
 */
export type EventProof<Data, Proof> = (event: ParsedEvent<Data>) => Promise<Proof | undefined>;

/** Result of an event that did not fail. */
type Effect = 'applied' | 'duplicate';

interface Registration {
  readonly source: EventSource;
  readonly contract: EventContract<string, z.ZodType>;
  readonly apply: (event: ParsedEvent<never>) => Promise<Effect>;
}

/** Applies other services' events, each id once. Register handlers while Nest creates the modules. */
@Injectable()
export class EventConsumer {
  private readonly registrations = new Map<string, Registration>();

  constructor(
    private readonly connection: Connection,
    private readonly inbox: Inbox,
    private readonly logger: Logger,
    private readonly metrics: EventMetrics,
  ) {}

  /** Registers the handler of one type of event of one source. */
  on<Data extends z.ZodType>(
    source: EventSource,
    contract: EventContract<string, Data>,
    handler: EventHandler<z.output<Data>>,
  ): void {
    const apply = (event: ParsedEvent<z.output<Data>>) =>
      this.applyOnce(event.id, (session) => handler(event, session));
    this.register(contract.type, { source, contract, apply });
  }

  /** The same for an event that needs an answer of another service first, such as a proof: the handler gets it. */
  onProven<Data extends z.ZodType, Proof>(
    source: EventSource,
    contract: EventContract<string, Data>,
    prove: EventProof<z.output<Data>, Proof>,
    handler: (event: ParsedEvent<z.output<Data>>, proof: Proof, session: ClientSession) => Promise<void>,
  ): void {
    const apply = async (event: ParsedEvent<z.output<Data>>) => {
      if ((await this.inbox.unknown([event.id])).size === 0) return 'duplicate';
      const proof = await prove(event).catch((cause: unknown) => {
        // Later events of the job do not wait for the prover.
        if (cause instanceof EventTooEarlyError) throw cause;
        throw new EventTooEarlyError('PROVER_UNAVAILABLE', `No proof of ${event.type} yet: ${cause}`, { cause });
      });
      return this.applyOnce(event.id, async (session) => {
        if (proof !== undefined) await handler(event, proof, session);
      });
    };
    this.register(contract.type, { source, contract, apply });
  }

  private applyOnce(eventId: string, change: (session: ClientSession) => Promise<void>): Promise<Effect> {
    return inTransaction<Effect>(this.connection, async (session) => {
      await this.inbox.claimOne(eventId, session);
      await change(session);
      return 'applied';
    });
  }

  /** Registers the handler of one type of event of one source, which handles concurrent events in one batch. */
  onMany<Data extends z.ZodType>(
    source: EventSource,
    contract: EventContract<string, Data>,
    handler: EventsHandler<z.output<Data>>,
  ): void {
    type One = BatchPiece<ParsedEvent<z.output<Data>>>;
    const queue = new BatchQueue<ParsedEvent<z.output<Data>>, Effect>((batch) =>
      inTransaction(this.connection, async (session) => {
        const byId = new Map<string, One>();
        for (const one of batch) if (!byId.has(one.piece.id)) byId.set(one.piece.id, one);
        const claimed = await this.inbox.claim([...byId.keys()], session);
        const isNew = (one: One) => claimed.has(one.piece.id) && byId.get(one.piece.id) === one;
        if (claimed.size > 0) await handler(batch.filter(isNew), session);
        return batch.map((one) => ({ status: 'fulfilled', value: isNew(one) ? 'applied' : 'duplicate' }));
      }),
    );
    this.register(contract.type, { source, contract, apply: (event) => queue.run(event) });
  }

  private register(type: string, registration: Registration): void {
    if (this.registrations.has(type)) throw new Error(`Two handlers for ${type}`);
    this.metrics.consumes(type);
    this.registrations.set(type, registration);
  }

  /** Registered types by source. */
  typesBySource(): Map<EventSource, string[]> {
    const types = new Map<EventSource, string[]>();
    for (const { source, contract } of this.registrations.values()) {
      types.set(source, [...(types.get(source) ?? []), contract.type]);
    }
    return types;
  }

  /**
   * Applies an event from a source's log, unless it was applied before. A type of another source has no effect: no consumer asks for it.
   * @throws the errors of {@link process}
   */
  async apply(source: EventSource, event: Event): Promise<void> {
    if (this.registrations.get(event.type)?.source === source) return this.process(event);
    this.metrics.consumedOne(event.type, 'forged');
    this.logger.error({ source, type: event.type, eventId: event.id }, 'forged event refused');
  }

  /**
   * Applies an event of a known origin, unless it was applied before.
   * @throws the handler's error, or ZodError for an event of the wrong shape; both change nothing
   */
  async process(raw: unknown): Promise<void> {
    const event = eventSchema.parse(raw);
    const registration = this.registrations.get(event.type);
    if (!registration) return;
    const attributes = {
      'messaging.system': 'nats',
      'messaging.operation.name': 'process',
      'messaging.message.id': event.id,
      'maker.job.id': event.jobId,
    };
    const traced = { kind: 'CONSUMER', attributes, parent: event.traceparent } as const;
    await runWithRequestId(event.requestId, () =>
      inSpan(`process ${event.type}`, traced, async () => {
        const outcome = await this.applyBy(registration, event);
        this.metrics.consumedOne(event.type, outcome);
        if (outcome === 'applied')
          this.logger.info({ type: event.type, eventId: event.id, jobId: event.jobId }, 'event applied');
      }),
    );
  }

  private async applyBy({ contract, apply }: Registration, event: Event): Promise<Effect> {
    try {
      return await apply({ ...event, data: contract.data.parse(event.data) as never });
    } catch (error) {
      if (isSecondDelivery(error)) return 'duplicate';
      this.metrics.consumedOne(event.type, 'failed');
      this.logger.error({ err: error, eventId: event.id, type: event.type, jobId: event.jobId }, 'event failed');
      throw error;
    }
  }
}
