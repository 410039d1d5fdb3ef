import { paymentSeen } from '@maker/contracts';
import { EventConsumer } from '@maker/messaging';
import { Injectable } from '@nestjs/common';
import { JobsRepository } from '../job/jobs.repository.ts';

/** Keeps what payment-watcher sees at a job's address: it decides nothing, and shows the payer that the payment is there. */
@Injectable()
export class RecordSeenHandler {
  constructor(consumer: EventConsumer, jobs: JobsRepository) {
    consumer.on('payment-watcher', paymentSeen, ({ jobId, data: { seenWei, revision } }, session) =>
      jobs.keepSeen(jobId, { amountWei: BigInt(seenWei), revision }, session),
    );
  }
}
