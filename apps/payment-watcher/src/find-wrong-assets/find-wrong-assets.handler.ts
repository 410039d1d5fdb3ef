import { HyperCoreUnavailableError } from '@maker/chain';
import { findOnHyperCore } from '@maker/contracts';
import { HandleRequest, RequestFailure } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import type { Address } from 'viem';
import type { z } from 'zod';
import { WatchesRepository } from '../watch/watches.repository.ts';
import { HyperCoreQueries } from './hypercore-queries.ts';
import { ReportFindService } from './report-find.service.ts';
import { TokenSearch } from './token-search.ts';

/** Searches for assets that pay for no job, on an operator's request, and reports them to the job. */
@Controller()
export class FindWrongAssetsHandler {
  constructor(
    private readonly watches: WatchesRepository,
    private readonly hyperCore: HyperCoreQueries,
    private readonly tokenSearch: TokenSearch,
    private readonly finds: ReportFindService,
  ) {}

  @HandleRequest(findOnHyperCore)
  async find({ jobId, walletAddress }: z.output<typeof findOnHyperCore.request>) {
    // Tokens are reported even if HyperCore does not answer.
    const tokens = await this.findTokens(jobId, walletAddress);
    const foundWei = await this.hyperCore.query(walletAddress).catch((error: unknown) => {
      if (error instanceof HyperCoreUnavailableError) throw new RequestFailure('SERVICE_UNAVAILABLE', error.message);
      throw error;
    });
    const amountWei = foundWei.toString();
    const checkedAt = await this.finds.report('hyperCore', jobId, amountWei);
    return { amountWei, checkedAt, tokens: [...tokens] };
  }

  private async findTokens(jobId: string, address: Address) {
    const { tokenAddress } = (await this.watches.findByJob(jobId)) ?? {};
    const watch = { address, ...(tokenAddress && { tokenAddress }) };
    const [found] = await this.tokenSearch.find([watch], [undefined]);
    // An event without the unread tokens would report them as gone.
    if (!found) return [];
    await this.finds.report('tokens', jobId, found);
    return found.tokens;
  }
}
