import { paymentSeenOnHyperCore } from '@maker/contracts';
import { EventConsumer } from '@maker/messaging';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../audit/audit.repository.ts';
import type { HyperCoreMoney, Job } from '../job/job.ts';
import { JobsRepository } from '../job/jobs.repository.ts';

/** Keeps what payment-watcher's last look at HyperCore found. It pays for nothing, and is told to the payer. Source: docs/adr/0030. */
@Injectable()
export class RecordHyperCoreHandler {
  constructor(consumer: EventConsumer, jobs: JobsRepository, audit: AuditRepository) {
    consumer.on('payment-watcher', paymentSeenOnHyperCore, async ({ id, jobId, data }, session) => {
      const job = await jobs.get(jobId, session);
      const amountWei = BigInt(data.amountWei);
      const seen = { amountWei, lookedAtMs: Date.parse(data.lookedAt), found: amountWei > 0n };
      if (!isNews(job, seen)) return;
      await jobs.update({ before: job, after: { ...job, hyperCore: seen } }, session);
      const details = { amountWei: data.amountWei };
      await audit.append({ jobId, action: 'hypercore.looked_at', cause: `event ${id}`, details }, session);
    });
  }
}

/** Looks may be told in any order: the latest holds. */
function isNews({ hyperCore }: Job, seen: HyperCoreMoney): boolean {
  return hyperCore === undefined || seen.lookedAtMs > hyperCore.lookedAtMs;
}
