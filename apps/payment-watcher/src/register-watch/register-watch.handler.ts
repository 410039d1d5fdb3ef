import { jobCreated } from '@maker/contracts';
import { EventConsumer, type ParsedEvent } from '@maker/messaging';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { Address } from 'viem';
import type { z } from 'zod';
import { WatchesRepository } from '../watch/watches.repository.ts';

/**
 * Watches the address of each new job. The active scanner, which may be another replica, takes the watch over after
 * its next block, and then looks for what had arrived before (poll-balances).
 */
@Injectable()
export class RegisterWatchHandler {
  constructor(
    consumer: EventConsumer,
    private readonly watches: WatchesRepository,
  ) {
    consumer.on('job', jobCreated, (event, session) => this.handle(event, session));
  }

  private async handle(
    { jobId, occurredAt, data }: ParsedEvent<z.output<typeof jobCreated.data>>,
    session: ClientSession,
  ): Promise<void> {
    const watch = {
      address: data.paymentAddress.toLowerCase() as Address,
      jobId,
      createdAtMs: Date.parse(occurredAt),
      deadlineMs: Date.parse(data.paymentDeadline),
    };
    await this.watches.insert(watch, session);
  }
}
