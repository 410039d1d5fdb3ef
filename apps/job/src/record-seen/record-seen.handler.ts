import { paymentSeen } from '@maker/contracts';
import { EventConsumer, type ParsedEvent } from '@maker/messaging';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { JobsRepository } from '../job/jobs.repository.ts';

type SeenEvent = ParsedEvent<z.output<typeof paymentSeen.data>>;

/** Keeps what payment-watcher sees at a job's address: it decides nothing, and shows the payer that the payment is there. */
@Injectable()
export class RecordSeenHandler {
  constructor(
    consumer: EventConsumer,
    private readonly jobs: JobsRepository,
  ) {
    consumer.on('payment-watcher', paymentSeen, (event, session) => this.handle(event, session));
  }

  private async handle({ jobId, data }: SeenEvent, session: ClientSession): Promise<void> {
    const { seenWei, revision } = data;
    await this.jobs.keepSeen(jobId, { amountWei: BigInt(seenWei), revision }, session);
  }
}
