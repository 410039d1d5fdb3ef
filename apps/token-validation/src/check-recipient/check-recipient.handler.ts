import { type ConnectedChain, Recipients } from '@maker/chain';
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
  private readonly recipients: Recipients;

  constructor(
    @Inject(CONFIGURATION) { TREASURY_ADDRESS }: TokenValidationConfiguration,
    @Inject(CONNECTED_CHAIN) { client, market }: ConnectedChain,
    private readonly logger: Logger,
  ) {
    this.recipients = new Recipients(client, market, TREASURY_ADDRESS);
  }

  /** @throws RequestFailure `SERVICE_UNAVAILABLE` when the chain cannot be read */
  @HandleRequest(checkRecipient)
  async check({ address, tokenAddress }: z.output<typeof checkRecipient.request>) {
    try {
      return await this.recipients.judge(address, tokenAddress);
    } catch (error) {
      this.logger.error({ err: error }, 'recipient check failed');
      throw new RequestFailure(
        'SERVICE_UNAVAILABLE',
        'The service cannot reach the network at the moment. Please try again.',
      );
    }
  }
}
