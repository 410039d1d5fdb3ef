import { type ConnectedChain, judgeRecipient, readRecipientFacts, rpcRequestOf } from '@maker/chain';
import { checkRecipient } from '@maker/contracts';
import { HandleRequest, RequestFailure } from '@maker/messaging';
import { Logger } from '@maker/service-kit';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { CONFIGURATION, type TokenValidationConfiguration } from '../configuration.ts';
import { CONNECTED_CHAIN } from '../connected-chain.provider.ts';

/** Answers `chain.recipient.check`. */
@Controller()
export class CheckRecipientHandler {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: TokenValidationConfiguration,
    @Inject(CONNECTED_CHAIN) private readonly chain: ConnectedChain,
    private readonly logger: Logger,
  ) {}

  /** @throws RequestFailure `SERVICE_UNAVAILABLE` when the chain cannot be read */
  @HandleRequest(checkRecipient)
  async check({ address, tokenAddress }: z.output<typeof checkRecipient.request>) {
    try {
      const facts = await readRecipientFacts(rpcRequestOf(this.chain.client), address);
      const own = { token: tokenAddress, treasury: this.configuration.VALIDATION_TREASURY_ADDRESS };
      return judgeRecipient(address, own, this.chain.market.exchanges, facts);
    } catch (error) {
      this.logger.error({ err: error }, 'recipient unread');
      throw new RequestFailure('SERVICE_UNAVAILABLE', 'The network cannot be read at the moment. Please try again.');
    }
  }
}
