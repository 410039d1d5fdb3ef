import { proveBalances, proveSeed, proveTransfer } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { seedProofTypedData } from '@maker/signing/derivation';
import { Controller, type DynamicModule, Inject } from '@nestjs/common';
import { mnemonicToAccount } from 'viem/accounts';
import type { z } from 'zod';

/** The seed of `TEST_XPUB`, which is public. */
export const TEST_SEED = 'test test test test test test test test test test test junk';

/** Another public seed. */
export const ANOTHER_SEED = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

/** A double of maker-executor, with the requests that the job service sends. */
export interface ExecutorDouble {
  /** Seed that the double proves from now on. */
  seed: string;
  /** Proofs given so far. */
  proofs: number;
  /** Its verdict on every transfer. */
  transfer: z.output<typeof proveTransfer.reply>['verdict'];
  /** Whether it sees the money of a deposit that is not a plain transfer. */
  seesDeposits: boolean | null;
  /** Whether it sees enough money at a wallet whose deadline has passed. */
  seesPayment: boolean | null;
  readonly module: DynamicModule;
}

/** How far the chain time of the double is ahead, ms: past every deadline. */
const YEAR_MS = 365 * 86_400_000;

const EXECUTOR = Symbol('EXECUTOR');

@Controller()
class ProofsDouble {
  constructor(@Inject(EXECUTOR) private readonly executor: ExecutorDouble) {}

  @HandleRequest(proveSeed)
  async prove({ challenge }: z.output<typeof proveSeed.request>) {
    this.executor.proofs += 1;
    const firstWallet = mnemonicToAccount(this.executor.seed);
    return { signature: await firstWallet.signTypedData(seedProofTypedData(challenge)) };
  }

  @HandleRequest(proveTransfer)
  transfer({ blockNumber, blockAtMs }: z.output<typeof proveTransfer.request>) {
    const { transfer: verdict } = this.executor;
    return { verdict, ...(verdict === 'proven' && { block: { number: blockNumber, atMs: blockAtMs } }) };
  }

  @HandleRequest(proveBalances)
  balances({ balances }: z.output<typeof proveBalances.request>) {
    const { seesDeposits, seesPayment } = this.executor;
    const areShown = balances.map(({ afterMs }) => (afterMs === undefined ? seesDeposits : seesPayment));
    return { areShown, chainTimeMs: Date.now() + YEAR_MS };
  }
}

class ExecutorDoubleModule {}

const truthful = { transfer: 'proven', seesDeposits: true, seesPayment: false } as const;

/** A double that proves the seed of `TEST_XPUB` and each deposit of payment-watcher. */
export function executorDouble(): ExecutorDouble {
  const providers: DynamicModule['providers'] = [];
  const module = { module: ExecutorDoubleModule, controllers: [ProofsDouble], providers };
  const executor: ExecutorDouble = { seed: TEST_SEED, proofs: 0, ...truthful, module };
  providers.push({ provide: EXECUTOR, useValue: executor });
  return executor;
}
