import { checkRecipient } from '@maker/contracts';
import { RequestClient, RequestFailure } from '@maker/messaging';
import { Injectable } from '@nestjs/common';
import { passOn } from '../plan/refusals.ts';

/** token-validation reads the chain; this leaves the gateway's own timeout room to hear the answer. */
const CHECK_TIMEOUT_MS = 2000;

/** What is sent to the return address is lost, in a sentence for the visitor. */
export class ReturnAddressRefused extends RequestFailure {
  constructor(message: string) {
    super('RETURN_ADDRESS_REFUSED', message);
  }
}

/** The return address is a contract, and the payer has not said that they know. */
export class ReturnAddressIsContract extends RequestFailure {
  constructor() {
    super(
      'RETURN_ADDRESS_IS_CONTRACT',
      'This address is a contract. What is sent there is lost unless you can move tokens and HYPE out of it.',
    );
  }
}

/** A return address as its payer gives it. */
export interface GivenReturnAddress {
  /** Lower case. */
  readonly returnAddress: string;
  readonly tokenAddress: string;
  /** The payer knows that it is a contract. */
  readonly isContract: boolean;
}

/** Keeps tokens and change from going where nobody gets them back. Source: design § 4 'Return address'. */
@Injectable()
export class RecipientsService {
  constructor(private readonly requests: RequestClient) {}

  /** @throws ReturnAddressRefused, ReturnAddressIsContract, or token-validation's own failure to answer */
  async assertUsable({ returnAddress: address, tokenAddress, isContract }: GivenReturnAddress): Promise<void> {
    const found = await this.requests
      .request(checkRecipient, { address, tokenAddress }, CHECK_TIMEOUT_MS)
      .catch(passOn);
    if (found.problem !== undefined) throw new ReturnAddressRefused(found.problem);
    if (found.isContract && !isContract) throw new ReturnAddressIsContract();
  }
}
