import { paymentSeen } from '@maker/contracts';
import { Outbox } from '@maker/messaging';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { Address } from 'viem';
import { WatchesRepository } from '../watch/watches.repository.ts';
import { DepositsRepository } from './deposits.repository.ts';

/**
 * Publishes `payment.seen` in the transaction that changed a seen sum: the payer sees the payment with its block, before
 * its credit. Source: design § 4 'Detection'.
 */
@Injectable()
export class PublishSeenService {
  constructor(
    private readonly watches: WatchesRepository,
    private readonly deposits: DepositsRepository,
    private readonly outbox: Outbox,
  ) {}

  /** @param addresses whose seen sum changed */
  async publish(addresses: ReadonlySet<Address>, session: ClientSession): Promise<void> {
    if (addresses.size === 0) return;
    const seen = await this.deposits.seenWei([...addresses], session);
    // One batch: strangers choose how many addresses a block pays.
    const watches = await this.watches.nextSeenRevisions([...addresses], session);
    const events = watches.map(({ address, jobId, seenRevision }) => {
      const seenWei = (seen.get(address) ?? 0n).toString();
      return this.outbox.prepare(paymentSeen, { jobId, data: { seenWei, revision: seenRevision } });
    });
    await this.outbox.insert(events, session);
  }
}
