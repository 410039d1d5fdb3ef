import { proveBalances, proveTransfer } from '@maker/contracts';
import { EventTooEarlyError, RequestClient } from '@maker/messaging';
import { BatchQueue } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';

type AskedBalance = z.input<typeof proveBalances.request>['balances'][number];

export interface ProvenBalance {
  readonly isShown: boolean;
  /** Of the chain, ms. */
  readonly chainTimeMs: number;
}

/** Longer than maker-executor waits for its turn at a limited endpoint, ms. */
const PROOF_TIMEOUT_MS = 12_000;

/** Asks maker-executor what its own endpoints show of money that came. Source: docs/adr/0118. */
@Injectable()
export class ExecutorProofsService {
  /** Many jobs expire at once, and one call to the chain reads all their balances. */
  private readonly balances = new BatchQueue<AskedBalance, ProvenBalance>((batch) =>
    this.allBalances(batch.map(({ piece }) => piece)),
  );

  constructor(private readonly requests: RequestClient) {}

  /** Judges a plain transfer. @throws EventTooEarlyError where nothing is known yet @throws RequestFailedError */
  async transfer(told: z.input<typeof proveTransfer.request>) {
    const { verdict, block } = await this.requests.request(proveTransfer, told, PROOF_TIMEOUT_MS);
    if (verdict === 'waiting') throw notProvenYet(`transfer ${told.transactionHash}`);
    return { verdict, block };
  }

  /** Whether a wallet has so much. @throws EventTooEarlyError where hosts do not agree @throws RequestFailedError */
  balance(asked: AskedBalance): Promise<ProvenBalance> {
    return this.balances.run(asked);
  }

  /** What fails for one failed for all: they are not asked again one by one. */
  private async allBalances(balances: AskedBalance[]): Promise<PromiseSettledResult<ProvenBalance>[]> {
    try {
      const { areShown, chainTimeMs } = await this.requests.request(proveBalances, { balances }, PROOF_TIMEOUT_MS);
      return balances.map(({ wallet }, index) => {
        const isShown = areShown[index] ?? null;
        if (isShown === null) return { status: 'rejected', reason: notProvenYet(`the balance of ${wallet}`) };
        return { status: 'fulfilled', value: { isShown, chainTimeMs } };
      });
    } catch (reason) {
      return balances.map(() => ({ status: 'rejected', reason }));
    }
  }
}

function notProvenYet(what: string): EventTooEarlyError {
  return new EventTooEarlyError('NOT_PROVEN_YET', `maker-executor does not prove ${what} yet`);
}
