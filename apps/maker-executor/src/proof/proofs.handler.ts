import { DepositProofs } from '@maker/chain';
import { proveBalances, proveSeed, proveTransfer, SEED_PROOF_WITHDRAWN_SUBJECT } from '@maker/contracts';
import { HandleRequest, NATS_CONNECTION } from '@maker/messaging';
import { Controller, Inject, type OnApplicationBootstrap } from '@nestjs/common';
import type { z } from 'zod';
import { TickSources } from '../runner/tick-sources.ts';
import { JobWalletSigner } from '../wallet/job-wallet-signer.ts';

/** Proves to the job service that wallets belong to this seed, and what they received. Source: docs/adr/0096, docs/adr/0118. */
@Controller()
export class ProofsHandler implements OnApplicationBootstrap {
  private readonly deposits: DepositProofs;

  constructor(
    private readonly signer: JobWalletSigner,
    { chain, proofs, feed }: TickSources,
    @Inject(NATS_CONNECTION) private readonly nats: { publish(subject: string): void },
  ) {
    this.deposits = new DepositProofs(chain.hosts, proofs, feed);
  }

  /** Announces each start: the seed may be another one, so the job service asks for a new proof. Source: docs/adr/0151. */
  onApplicationBootstrap(): void {
    this.nats.publish(SEED_PROOF_WITHDRAWN_SUBJECT);
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
