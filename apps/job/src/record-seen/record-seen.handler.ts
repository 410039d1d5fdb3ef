import { paymentSeen } from '@maker/contracts';
import { EventConsumer } from '@maker/messaging';
import { Injectable } from '@nestjs/common';
import { JobsRepository } from '../job/jobs.repository.ts';

/** Stores the sum that payment-watcher sees at a job's address. It decides nothing, and shows the payer that the payment arrived. */
@Injectable()
export class RecordSeenHandler {
  constructor(consumer: EventConsumer, jobs: JobsRepository) {
    consumer.on('payment-watcher', paymentSeen, ({ jobId, data: { seenWei, revision } }, session) =>
      jobs.keepSeen(jobId, { amountWei: BigInt(seenWei), revision }, session),
    );
  }
}
