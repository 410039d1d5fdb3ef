import { DepositProofs } from '@maker/chain';
import { proveBalances, proveSeed, proveTransfer } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { TickSources } from '../runner/tick-sources.ts';
import { JobWalletSigner } from '../wallet/job-wallet-signer.ts';

/** Proves to the job service that wallets belong to this seed, and what they received. Source: docs/adr/0096, docs/adr/0118. */
@Controller()
export class ProofsHandler {
  private readonly deposits: DepositProofs;

  constructor(
    private readonly signer: JobWalletSigner,
    { chain, proofs, feed }: TickSources,
  ) {
    this.deposits = new DepositProofs(chain.hosts, proofs, feed);
  }

  @HandleRequest(proveSeed)
  async seed({ challenge }: z.output<typeof proveSeed.request>) {
    return { signature: await this.signer.proveSeed(challenge) };
  }

  @HandleRequest(proveTransfer)
  async transfer({ amountWei, ...claim }: z.output<typeof proveTransfer.request>) {
    return this.deposits.transfer({ ...claim, amountWei: BigInt(amountWei) });
  }

  @HandleRequest(proveBalances)
  async balances({ balances }: z.output<typeof proveBalances.request>) {
    return this.deposits.balances(balances.map((one) => ({ ...one, leastWei: BigInt(one.leastWei) })));
  }
}
