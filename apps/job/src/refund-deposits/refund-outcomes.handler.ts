import { fundsReleased, refundHeld, refundPaid } from '@maker/contracts';
import { EventConsumer } from '@maker/messaging';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../audit/audit.repository.ts';
import { isPayerUnknown } from '../job/job.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';

/** Records the outcomes of refunds that maker-executor reports. */
@Injectable()
export class RefundOutcomesHandler {
  constructor(consumer: EventConsumer, refunds: RefundsRepository, jobs: JobsRepository, audit: AuditRepository) {
    consumer.on('maker-executor', refundPaid, async ({ id, jobId, occurredAt, data }, session) => {
      const { returnId, to, returnedWei, transactionHash } = data;
      await refunds.settle(
        [returnId],
        { status: 'returned', to, transactionHash, ...(returnedWei && { returnedWei: BigInt(returnedWei) }) },
        session,
      );
      const entry = { jobId, action: 'deposit.returned', cause: `event ${id}`, atMs: Date.parse(occurredAt) };
      await audit.append({ ...entry, details: plain(data) }, session);
    });
    consumer.on('maker-executor', refundHeld, async ({ id, jobId, occurredAt, data }, session) => {
      await refunds.settle(
        [data.returnId],
        { status: 'held', reason: data.reason, ...(data.absent && { absent: true }) },
        session,
      );
      const entry = { jobId, action: 'deposit.held', cause: `event ${id}`, atMs: Date.parse(occurredAt) };
      await audit.append({ ...entry, details: plain(data) }, session);
    });
    consumer.on('maker-executor', fundsReleased, async ({ id, jobId, occurredAt, data }, session) => {
      const { to, amountWei, returnIds } = data;
      await refunds.settle(returnIds, { status: 'due', to }, session);
      const job = await jobs.get(jobId, session);
      const returnAddress = isPayerUnknown(job) ? to : job.returnAddress;
      await jobs.update({ before: job, after: { ...job, returnAddress, proposedReturnAddress: null } }, session);
      const entry = { jobId, action: 'funds.released', cause: `event ${id}`, atMs: Date.parse(occurredAt) };
      await audit.append({ ...entry, details: { to, amountWei, returns: returnIds.length } }, session);
    });
  }
}

function plain(data: Readonly<Record<string, string | boolean | undefined>>): Record<string, string | boolean> {
  return Object.fromEntries(
    Object.entries(data).filter((field): field is [string, string | boolean] => field[1] !== undefined),
  );
}
