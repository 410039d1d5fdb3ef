import { proveSeed } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { JobWalletSigner } from './job-wallet-signer.ts';

/** Proves to the job service that the wallets that it gives away are of this seed. Source: docs/adr/0096. */
@Controller()
export class ProveSeedHandler {
  constructor(private readonly signer: JobWalletSigner) {}

  @HandleRequest(proveSeed)
  async prove({ challenge }: z.output<typeof proveSeed.request>) {
    return { signature: await this.signer.proveSeed(challenge) };
  }
}
