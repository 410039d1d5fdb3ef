import { paymentSeen } from '@maker/contracts';
import { Outbox } from '@maker/messaging';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { Address } from 'viem';
import { WatchesRepository } from '../watch/watches.repository.ts';
import { DepositsRepository } from './deposits.repository.ts';

/**
 * Tells what is seen at addresses, in the transaction that changed it: a payer hears of the payment with its block, and not only when
 * it is credited. Source: design § 4 'Detection'.
 */
@Injectable()
export class PublishSeenService {
  constructor(
    private readonly watches: WatchesRepository,
    private readonly deposits: DepositsRepository,
    private readonly outbox: Outbox,
  ) {}

  /** @param addresses at which more, or less, is seen than before */
  async tell(addresses: ReadonlySet<Address>, session: ClientSession): Promise<void> {
    if (addresses.size === 0) return;
    const seen = await this.deposits.seenWei([...addresses], session);
    // Together: strangers choose how many addresses a block pays.
    const watches = await this.watches.nextSeenRevisions([...addresses], session);
    const events = watches.map(({ address, jobId, seenRevision }) => {
      const seenWei = (seen.get(address) ?? 0n).toString();
      return this.outbox.prepare(paymentSeen, { jobId, data: { seenWei, revision: seenRevision } });
    });
    await this.outbox.insert(events, session);
  }
}
