import { proveSeed } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { seedProofTypedData } from '@maker/signing/derivation';
import { Controller, type DynamicModule, Inject } from '@nestjs/common';
import { mnemonicToAccount } from 'viem/accounts';
import type { z } from 'zod';

/** The seed of `TEST_XPUB`, known to everybody. */
export const TEST_SEED = 'test test test test test test test test test test test junk';

/** The seed of nobody's money. */
export const ANOTHER_SEED = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

/** maker-executor, as far as the job service asks it. */
export interface ExecutorDouble {
  /** Proven from now on. */
  seed: string;
  /** Proofs given so far. */
  proofs: number;
  readonly module: DynamicModule;
}

const EXECUTOR = Symbol('EXECUTOR');

@Controller()
class ProveSeedDouble {
  constructor(@Inject(EXECUTOR) private readonly executor: ExecutorDouble) {}

  @HandleRequest(proveSeed)
  async prove({ challenge }: z.output<typeof proveSeed.request>) {
    this.executor.proofs += 1;
    const firstWallet = mnemonicToAccount(this.executor.seed);
    return { signature: await firstWallet.signTypedData(seedProofTypedData(challenge)) };
  }
}

class ExecutorDoubleModule {}

/** A double that proves the seed of `TEST_XPUB`. */
export function executorDouble(): ExecutorDouble {
  const providers: DynamicModule['providers'] = [];
  const module = { module: ExecutorDoubleModule, controllers: [ProveSeedDouble], providers };
  const executor: ExecutorDouble = { seed: TEST_SEED, proofs: 0, module };
  providers.push({ provide: EXECUTOR, useValue: executor });
  return executor;
}
