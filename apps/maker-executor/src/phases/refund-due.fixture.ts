import { RequestClient } from '@maker/messaging';
import type { Address, Hash } from 'viem';
import { expect, vi } from 'vitest';
import type { MakerStage } from '../maker-stage.fixture.ts';
import { EVENTUALLY } from '../stage-times.fixture.ts';

interface Wallet {
  readonly jobId: string;
  readonly wallet: Address;
  readonly token: Address;
}

/** Data of the maker's event about a refund. */
export interface Answer {
  readonly depositId?: string;
  readonly returnedWei?: string;
  readonly reason?: string;
  readonly amountWei: string;
}

/** Requests refunds like the job service, and reads the maker's events. */
export function returnsOn(own: { readonly stage: MakerStage }) {
  const answers = (jobId: string) => own.stage.jobs.returns(jobId);
  return {
    answers,
    ask: () => own.stage.jobs.app.get(RequestClient),
    receiptOf: ({ jobId }: Wallet) => own.stage.receiptOf({ jobId } as never),

    /**
     * Requests the refund of an amount.
     * @param to null without a known recipient: the amount is held
     * @param paidBy hash of the recipient's payment; without it, `to` is the agreed return address
     */
    async due(
      { jobId, wallet, token }: Wallet,
      amountWei: bigint,
      to: Address | null,
      {
        activated = false,
        walletIndex = 0,
        returnId = `${jobId}/return-1`,
        paidBy,
        depositIds = [paidBy ? `${wallet.toLowerCase()}:${paidBy}` : `${returnId}/deposit`],
      }: { activated?: boolean; walletIndex?: number; returnId?: string; paidBy?: Hash; depositIds?: string[] } = {},
    ): Promise<void> {
      await own.stage.jobs.returnDue(jobId, {
        returnId,
        amountWei: amountWei.toString(),
        walletAddress: wallet,
        walletIndex,
        tokenAddress: token,
        depositIds,
        to,
        ...(paidBy && { sentBy: [{ transactionHash: paidBy, amountWei: amountWei.toString() }] }),
        activated,
        blockNumber: 1,
        ...(to === null ? { holdReason: 'it came from a contract' } : {}),
      });
    },

    /** Waits until the maker has published these kinds of events, in this order. */
    async answered(jobId: string, kinds: readonly string[]): Promise<readonly Answer[]> {
      await vi.waitFor(() => expect(answers(jobId).map(({ kind }) => kind)).toEqual(kinds), EVENTUALLY);
      return answers(jobId).map(({ data }) => data as Answer);
    },
  };
}
