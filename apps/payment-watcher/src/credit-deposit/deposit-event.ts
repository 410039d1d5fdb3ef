import type { paymentReceived } from '@maker/contracts';
import type { z } from 'zod';
import type { Deposit } from '../deposit/deposit.ts';

/** The fields of a deposit that other services receive. */
export function toCredited({ depositId, kind, amountWei, from, transactionHash, blockNumber }: Deposit) {
  return {
    depositId,
    kind,
    amountWei: amountWei.toString(),
    blockNumber,
    ...(from && { from }),
    ...(transactionHash && { transactionHash }),
  };
}

/** The data of a deposit's events. */
export function depositEvent(deposit: Deposit): z.input<typeof paymentReceived.data> {
  const { occurrence, blockAtMs } = deposit;
  return { ...toCredited(deposit), occurrence, blockAt: new Date(blockAtMs).toISOString() };
}
