import { type Logger, runWithRequestId } from '@maker/service-kit';
import type { Watch } from '../watch/watch.ts';
import type { Deposit } from './deposit.ts';

/** Logs what became of a deposit, under the request that created its job. @param block by which it is known */
export function logDeposit(
  logger: Logger,
  { jobId, depositId, kind, amountWei }: Deposit,
  watch: Watch | undefined,
  block: number,
  fact: string,
): void {
  const fields = { jobId, depositId, kind, amountWei: amountWei.toString(), block };
  runWithRequestId(watch?.origin?.requestId, () => logger.info(fields, fact));
}
