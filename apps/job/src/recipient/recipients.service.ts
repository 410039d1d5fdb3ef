import { checkRecipient } from '@maker/contracts';
import { RequestClient, RequestFailure } from '@maker/messaging';
import { Injectable } from '@nestjs/common';
import { passOn } from '../plan/refusals.ts';

/** Timeout of token-validation, which reads the chain, ms. It is below the gateway's timeout. */
const CHECK_TIMEOUT_MS = 2000;

/** Money sent to the return address would be lost. `message` says why, for the visitor. */
export class ReturnAddressRefused extends RequestFailure {
  constructor(message: string) {
    super('RETURN_ADDRESS_REFUSED', message);
  }
}

/** The return address is a contract, and the payer has not confirmed it. */
export class ReturnAddressIsContract extends RequestFailure {
  constructor() {
    super(
      'RETURN_ADDRESS_IS_CONTRACT',
      'This address is a contract. Anything sent to it is lost unless you can move tokens and HYPE out of it.',
    );
  }
}

/** Refuses return addresses where tokens and change would be lost. Source: design § 4 'Return address'. */
@Injectable()
export class RecipientsService {
  constructor(private readonly requests: RequestClient) {}

  /**
   * @param given the return address in lower case, and whether the payer knows that it is a contract
   * @throws ReturnAddressRefused, ReturnAddressIsContract, or the failure of token-validation
   */
  async assertUsable(given: { returnAddress: string; tokenAddress: string; isContract: boolean }): Promise<void> {
    const { returnAddress: address, tokenAddress, isContract } = given;
    const found = await this.requests
      .request(checkRecipient, { address, tokenAddress }, CHECK_TIMEOUT_MS)
      .catch(passOn);
    if (found.problem !== undefined) throw new ReturnAddressRefused(found.problem);
    if (found.isContract && !isContract) throw new ReturnAddressIsContract();
  }
}
