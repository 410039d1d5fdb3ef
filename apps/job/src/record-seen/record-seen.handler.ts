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
    const job = await this.jobs.get(jobId, session);
    const { revision } = data;
    // It may be told in any order: the highest holds.
    if (job.seen && job.seen.revision >= revision) return;
    const seen = { amountWei: BigInt(data.seenWei), revision };
    await this.jobs.update({ before: job, after: { ...job, seen } }, session);
  }
}
