import { jobCreated } from '@maker/contracts';
import { EventConsumer, type ParsedEvent } from '@maker/messaging';
import type { BatchPiece } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { Address } from 'viem';
import type { z } from 'zod';
import { WatchesRepository } from '../watch/watches.repository.ts';

/**
 * Registers a watch for the address of each new job, in batches. The active scanner, perhaps another replica, takes the
 * watch over after its next block. Then it searches for earlier payments (poll-balances).
 */
@Injectable()
export class RegisterWatchHandler {
  constructor(
    consumer: EventConsumer,
    private readonly watches: WatchesRepository,
  ) {
    consumer.onMany('job', jobCreated, (events, session) => this.handle(events, session));
  }

  private async handle(
    events: readonly BatchPiece<ParsedEvent<z.output<typeof jobCreated.data>>>[],
    session: ClientSession,
  ): Promise<void> {
    const watches = events.map(({ piece: { jobId, occurredAt, data }, onBehalf }) => {
      const watch = {
        address: data.paymentAddress.toLowerCase() as Address,
        jobId,
        tokenAddress: data.tokenAddress as Address,
        createdAtMs: Date.parse(occurredAt),
        deadlineMs: Date.parse(data.paymentDeadline),
      };
      return onBehalf(() => this.watches.prepare(watch));
    });
    await this.watches.insert(watches, session);
  }
}
