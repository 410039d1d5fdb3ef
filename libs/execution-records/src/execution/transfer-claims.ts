import type { jobActivated } from '@maker/contracts';
import type { z } from 'zod';
import type { TransferClaim } from './execution.ts';

type ClaimedTransfers = NonNullable<z.output<typeof jobActivated.data>['paidBy']>;

/** Reads the transfers that prove an event's sender; amounts in wei. */
export function transferClaims(messages: ClaimedTransfers): readonly TransferClaim[] {
  return messages.map(({ transactionHash, amountWei }) => ({ transactionHash, amountWei: BigInt(amountWei) }));
}
