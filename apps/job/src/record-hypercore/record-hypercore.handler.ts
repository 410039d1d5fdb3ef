import { paymentSeenOnHyperCore } from '@maker/contracts';
import { EventConsumer, type ParsedEvent } from '@maker/messaging';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { AuditRepository } from '../audit/audit.repository.ts';
import type { HyperCoreMoney, Job } from '../job/job.ts';
import { JobsRepository } from '../job/jobs.repository.ts';

type SeenEvent = ParsedEvent<z.output<typeof paymentSeenOnHyperCore.data>>;

/** Keeps what payment-watcher's last look at HyperCore found. It pays for nothing, and is told to the payer. Source: docs/adr/0030. */
@Injectable()
export class RecordHyperCoreHandler {
  constructor(
    consumer: EventConsumer,
    private readonly jobs: JobsRepository,
    private readonly audit: AuditRepository,
  ) {
    consumer.on('payment-watcher', paymentSeenOnHyperCore, (event, session) => this.handle(event, session));
  }

  private async handle({ id, jobId, data }: SeenEvent, session: ClientSession): Promise<void> {
    const job = await this.jobs.get(jobId, session);
    const amountWei = BigInt(data.amountWei);
    const seen = { amountWei, lookedAtMs: Date.parse(data.lookedAt), found: amountWei > 0n };
    if (!isNews(job, seen)) return;
    await this.jobs.update({ before: job, after: { ...job, hyperCore: seen } }, session);
    const details = { amountWei: data.amountWei };
    await this.audit.append({ jobId, action: 'hypercore.looked_at', cause: `event ${id}`, details }, session);
  }
}

/** Looks may be told in any order: the latest holds. */
function isNews({ hyperCore }: Job, seen: HyperCoreMoney): boolean {
  return hyperCore === undefined || seen.lookedAtMs > hyperCore.lookedAtMs;
}
