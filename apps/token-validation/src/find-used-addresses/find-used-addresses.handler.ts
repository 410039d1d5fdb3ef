import { type ConnectedChain, findUsedAddresses as readUsedAddresses, rpcRequestOf } from '@maker/chain';
import { findUsedAddresses } from '@maker/contracts';
import { HandleRequest, RequestFailure } from '@maker/messaging';
import { Logger } from '@maker/service-kit';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { CONNECTED_CHAIN } from '../connected-chain.provider.ts';

/** Answers `chain.used_addresses.find`. */
@Controller()
export class FindUsedAddressesHandler {
  constructor(
    @Inject(CONNECTED_CHAIN) private readonly chain: ConnectedChain,
    private readonly logger: Logger,
  ) {}

  /** @throws RequestFailure `SERVICE_UNAVAILABLE` when the chain cannot be read */
  @HandleRequest(findUsedAddresses)
  async find({ addresses }: z.output<typeof findUsedAddresses.request>) {
    try {
      return { used: [...(await readUsedAddresses(rpcRequestOf(this.chain.client), addresses))] };
    } catch (error) {
      this.logger.error({ err: error }, 'search for used addresses failed');
      throw new RequestFailure(
        'SERVICE_UNAVAILABLE',
        'The service cannot reach the network at the moment. Please try again.',
      );
    }
  }
}
