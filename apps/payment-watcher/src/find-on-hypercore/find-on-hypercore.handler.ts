import { HyperCoreUnavailableError } from '@maker/chain';
import { findOnHyperCore, paymentSeenOnHyperCore } from '@maker/contracts';
import { HandleRequest, Outbox, RequestFailure } from '@maker/messaging';
import { Connection, inTransaction } from '@maker/persistence';
import { Clock } from '@maker/service-kit';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { HyperCoreQueries } from './hypercore-queries.ts';

/** Looks at HyperCore on an operator's word, and tells the job what was found. */
@Controller()
export class FindOnHyperCoreHandler {
  constructor(
    private readonly connection: Connection,
    private readonly looks: HyperCoreQueries,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  @HandleRequest(findOnHyperCore)
  async look({ jobId, walletAddress }: z.output<typeof findOnHyperCore.request>) {
    const foundWei = await this.looks.look(walletAddress).catch((error: unknown) => {
      if (error instanceof HyperCoreUnavailableError) throw new RequestFailure('SERVICE_UNAVAILABLE', error.message);
      throw error;
    });
    const seen = { amountWei: foundWei.toString(), lookedAt: new Date(this.clock.now()).toISOString() };
    await inTransaction(this.connection, (session) =>
      this.outbox.record(paymentSeenOnHyperCore, { jobId, data: seen }, session),
    );
    return seen;
  }
}
