import { paymentSeenOnHyperCore, paymentTokensFound } from '@maker/contracts';
import { EventConsumer } from '@maker/messaging';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../audit/audit.repository.ts';
import { JobsRepository } from '../job/jobs.repository.ts';

/**
 * Stores assets of payment-watcher's last search that pay for nothing: HYPE on HyperCore, and tokens. The payer sees them.
 * Messages may arrive in any order: the latest search wins. Source: docs/adr/0030, docs/adr/0093.
 */
@Injectable()
export class RecordWrongAssetsHandler {
  constructor(consumer: EventConsumer, jobs: JobsRepository, audit: AuditRepository) {
    consumer.on('payment-watcher', paymentSeenOnHyperCore, async ({ id, jobId, data }, session) => {
      const job = await jobs.get(jobId, session);
      const amountWei = BigInt(data.amountWei);
      const hyperCore = { amountWei, checkedAtMs: Date.parse(data.checkedAt), found: amountWei > 0n };
      if (job.hyperCore && hyperCore.checkedAtMs <= job.hyperCore.checkedAtMs) return;
      await jobs.update({ before: job, after: { ...job, hyperCore } }, session);
      const details = { amountWei: data.amountWei };
      await audit.append({ jobId, action: 'hypercore.checked', cause: `event ${id}`, details }, session);
    });
    consumer.on('payment-watcher', paymentTokensFound, async ({ id, jobId, data: { tokens, searchedAt } }, session) => {
      const job = await jobs.get(jobId, session);
      const foundTokens = { tokens, searchedAtMs: Date.parse(searchedAt) };
      if (job.foundTokens && foundTokens.searchedAtMs <= job.foundTokens.searchedAtMs) return;
      await jobs.update({ before: job, after: { ...job, foundTokens } }, session);
      const details = Object.fromEntries(tokens.map(({ tokenAddress, amount }) => [tokenAddress, amount]));
      await audit.append({ jobId, action: 'tokens.searched', cause: `event ${id}`, details }, session);
    });
  }
}
