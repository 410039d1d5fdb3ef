import type { paymentReceived } from '@maker/contracts';
import type { z } from 'zod';
import type { Deposit } from '../deposit/deposit.ts';

/** What the events of a deposit tell of it. */
export function depositEvent(deposit: Deposit): z.input<typeof paymentReceived.data> {
  const { depositId, kind, amountWei, from, transactionHash, blockNumber, blockAtMs, occurrence } = deposit;
  return {
    depositId,
    kind,
    blockNumber,
    occurrence,
    amountWei: amountWei.toString(),
    ...(from && { from }),
    ...(transactionHash && { transactionHash }),
    blockAt: new Date(blockAtMs).toISOString(),
  };
}
