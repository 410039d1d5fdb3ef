import { HyperCoreUnavailableError } from '@maker/chain';
import { findOnHyperCore, paymentSeenOnHyperCore, paymentTokensFound } from '@maker/contracts';
import { HandleRequest, Outbox, RequestFailure } from '@maker/messaging';
import { Connection, inTransaction } from '@maker/persistence';
import { Clock } from '@maker/service-kit';
import { Controller } from '@nestjs/common';
import type { Address } from 'viem';
import type { z } from 'zod';
import { WatchesRepository } from '../watch/watches.repository.ts';
import { HyperCoreQueries } from './hypercore-queries.ts';
import { TokenSearch } from './token-search.ts';

/** Searches for what pays for nothing on an operator's word, and tells the job what was found. */
@Controller()
export class FindWrongAssetsHandler {
  constructor(
    private readonly connection: Connection,
    private readonly watches: WatchesRepository,
    private readonly looks: HyperCoreQueries,
    private readonly tokenSearch: TokenSearch,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  @HandleRequest(findOnHyperCore)
  async find({ jobId, walletAddress }: z.output<typeof findOnHyperCore.request>) {
    // Told even where HyperCore does not answer.
    const tokens = await this.findTokens(jobId, walletAddress);
    const foundWei = await this.looks.look(walletAddress).catch((error: unknown) => {
      if (error instanceof HyperCoreUnavailableError) throw new RequestFailure('SERVICE_UNAVAILABLE', error.message);
      throw error;
    });
    const seen = { amountWei: foundWei.toString(), lookedAt: new Date(this.clock.now()).toISOString() };
    await inTransaction(this.connection, (session) =>
      this.outbox.record(paymentSeenOnHyperCore, { jobId, data: seen }, session),
    );
    return { ...seen, tokens: [...tokens] };
  }

  private async findTokens(jobId: string, address: Address) {
    const { tokenAddress } = (await this.watches.findByJob(jobId)) ?? {};
    const watch = { address, ...(tokenAddress && { tokenAddress }) };
    const [found] = await this.tokenSearch.find([watch], [undefined]);
    // An event without the unread tokens would say that they are gone.
    if (!found) return [];
    const tokens = [...found.tokens];
    const data = { tokens, searchedAt: new Date(this.clock.now()).toISOString() };
    await inTransaction(this.connection, (session) => this.outbox.record(paymentTokensFound, { jobId, data }, session));
    return tokens;
  }
}
