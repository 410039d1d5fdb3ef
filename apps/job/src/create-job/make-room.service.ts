import { Clock, Logger } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { ApplyChangeService } from '../apply-change/apply-change.service.ts';
import { changeStatus } from '../job/job-change.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { networksOf } from '../network/networks.ts';
import { NetworkShares } from './network-shares.ts';

const FAILURE_REASON =
  'Too many jobs were waiting for payment, so this unpaid job was ended. Later payments to it are refunded.';

/** Makes room for new jobs in one transaction while the limit of unpaid jobs is reached. */
export interface Room {
  /** Ends a job of a larger network in favour of a client. @returns whether there is room now */
  makeFor(clientAddress: string | undefined): Promise<boolean>;
}

/**
 * Shares the limit of unpaid jobs between networks: ends a job in favour of a client whose network has fewer. It takes the newest one
 * of the largest network that has one to give. It never ends a job with a tenth of its amount at its address.
 */
@Injectable()
export class MakeRoomService {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly changes: ApplyChangeService,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  open(session: ClientSession): Room {
    let shares: NetworkShares | undefined;
    return {
      makeFor: async (clientAddress) => {
        shares ??= new NetworkShares(await this.jobs.unpaidByNetworks(session));
        const networks = networksOf(clientAddress);
        const network = shares.givesWayTo(networks);
        const evicted = network === undefined ? undefined : await this.evict(network, session);
        if (!evicted) return false;
        shares.remove(evicted);
        shares.add(networks);
        return true;
      },
    };
  }

  /** @returns the networks of the client whose job was ended */
  private async evict(network: string, session: ClientSession): Promise<readonly string[] | undefined> {
    const newest = await this.jobs.newestUnpaid(network, session);
    const change = newest && changeStatus(newest.job, 'cancelled', this.clock.now(), { failureReason: FAILURE_REASON });
    if (!change) return undefined;
    await this.changes.apply(change, `too many unpaid jobs of ${network}`, session);
    this.logger.warn({ jobId: newest.job.jobId, network }, 'unpaid job evicted');
    return newest.networks;
  }
}
