import type { Event, EventContract, EventSource } from '@maker/contracts';
import { eventSchema } from '@maker/contracts';
import { inTransaction } from '@maker/persistence';
import { inSpan, runWithRequestId } from '@maker/service-kit';
import type { ClientSession, Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { EventMetrics } from '../messaging.metrics.ts';
import { type Inbox, isSecondDelivery } from './inbox.ts';

/** An event with its data parsed. */
export type ParsedEvent<Data> = Omit<Event, 'data'> & { readonly data: Data };

/** The effect of an event, in one transaction with its inbox row; it may run more than once before it commits. */
export type EventHandler<Data> = (event: ParsedEvent<Data>, session: ClientSession) => Promise<void>;

interface Registration {
  readonly source: EventSource;
  readonly contract: EventContract<string, z.ZodType>;
  readonly handler: EventHandler<never>;
}

/**
 * What a service does on other services' events: register handlers while modules are made; JetStream and the catch-up
 * both end in {@link EventConsumer.process}, which has an effect once per event id.
 */
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
    if (this.registrations.has(contract.type)) throw new Error(`Two handlers for ${contract.type}`);
    this.metrics.consumes(contract.type);
    this.registrations.set(contract.type, { source, contract, handler: handler as EventHandler<never> });
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
   * Applies an event unless it was applied before.
   * @throws what the handler threw, or ZodError for an event of the wrong shape: nothing is changed then
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
        const outcome = await this.apply(event, registration);
        this.metrics.consumedOne(event.type, outcome);
        if (outcome === 'applied')
          this.logger.info({ type: event.type, eventId: event.id, jobId: event.jobId }, 'an event is applied');
      }),
    );
  }

  private async apply(event: Event, { contract, handler }: Registration): Promise<'applied' | 'duplicate'> {
    try {
      const parsed = { ...event, data: contract.data.parse(event.data) as never };
      return await inTransaction(this.connection, async (session) => {
        if (!(await this.inbox.claim(event.id, session))) return 'duplicate';
        await handler(parsed, session);
        return 'applied';
      });
    } catch (error) {
      if (isSecondDelivery(error)) return 'duplicate';
      this.metrics.consumedOne(event.type, 'failed');
      this.logger.error({ err: error, eventId: event.id, type: event.type, jobId: event.jobId }, 'an event failed');
      throw error;
    }
  }
}
