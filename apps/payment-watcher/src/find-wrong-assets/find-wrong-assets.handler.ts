import { HyperCoreUnavailableError } from '@maker/chain';
import { findOnHyperCore } from '@maker/contracts';
import { HandleRequest, RequestFailure } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import type { Address } from 'viem';
import type { z } from 'zod';
import { WatchesRepository } from '../watch/watches.repository.ts';
import { HyperCoreQueries } from './hypercore-queries.ts';
import { TellFindService } from './tell-find.service.ts';
import { TokenSearch } from './token-search.ts';

/** Searches for what pays for nothing on an operator's word, and tells the job what was found. */
@Controller()
export class FindWrongAssetsHandler {
  constructor(
    private readonly watches: WatchesRepository,
    private readonly looks: HyperCoreQueries,
    private readonly tokenSearch: TokenSearch,
    private readonly finds: TellFindService,
  ) {}

  @HandleRequest(findOnHyperCore)
  async find({ jobId, walletAddress }: z.output<typeof findOnHyperCore.request>) {
    // Told even where HyperCore does not answer.
    const tokens = await this.findTokens(jobId, walletAddress);
    const foundWei = await this.looks.look(walletAddress).catch((error: unknown) => {
      if (error instanceof HyperCoreUnavailableError) throw new RequestFailure('SERVICE_UNAVAILABLE', error.message);
      throw error;
    });
    const amountWei = foundWei.toString();
    const checkedAt = await this.finds.tell('hyperCore', jobId, amountWei);
    return { amountWei, checkedAt, tokens: [...tokens] };
  }

  private async findTokens(jobId: string, address: Address) {
    const { tokenAddress } = (await this.watches.findByJob(jobId)) ?? {};
    const watch = { address, ...(tokenAddress && { tokenAddress }) };
    const [found] = await this.tokenSearch.find([watch], [undefined]);
    // An event without the unread tokens would say that they are gone.
    if (!found) return [];
    await this.finds.tell('tokens', jobId, found);
    return found.tokens;
  }
}
