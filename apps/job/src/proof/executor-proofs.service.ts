import { proveBalances, proveTransfer } from '@maker/contracts';
import { EventTooEarlyError, RequestClient } from '@maker/messaging';
import { BatchQueue } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';

type ClaimedBalance = z.input<typeof proveBalances.request>['balances'][number];

export interface ProvenBalance {
  readonly isShown: boolean;
  /** Time of the chain, ms. */
  readonly chainTimeMs: number;
}

/** Timeout of a proof, ms. It is longer than maker-executor waits at a rate-limited endpoint. */
const PROOF_TIMEOUT_MS = 12_000;

/** Requests proofs of deposits from maker-executor, which has its own endpoints. Source: docs/adr/0118. */
@Injectable()
export class ExecutorProofsService {
  /** Many jobs may expire at the same time; one call to the chain reads all their balances. */
  private readonly balances = new BatchQueue<ClaimedBalance, ProvenBalance>((batch) =>
    this.allBalances(batch.map(({ piece }) => piece)),
  );

  constructor(private readonly requests: RequestClient) {}

  /** Verifies a plain transfer. @throws EventTooEarlyError if the verdict is not known yet @throws RequestFailedError */
  async transfer(reported: z.input<typeof proveTransfer.request>) {
    const { verdict, block } = await this.requests.request(proveTransfer, reported, PROOF_TIMEOUT_MS);
    if (verdict === 'waiting') throw notProvenYet(`transfer ${reported.transactionHash}`);
    return { verdict, block };
  }

  /** Whether a wallet has at least an amount. @throws EventTooEarlyError if hosts disagree @throws RequestFailedError */
  balance(claimed: ClaimedBalance): Promise<ProvenBalance> {
    return this.balances.run(claimed);
  }

  /** A failed request fails all its balances, without a retry one by one. */
  private async allBalances(balances: ClaimedBalance[]): Promise<PromiseSettledResult<ProvenBalance>[]> {
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
