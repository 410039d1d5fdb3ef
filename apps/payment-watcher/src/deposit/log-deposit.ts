import { type Logger, runWithRequestId } from '@maker/service-kit';
import type { Watch } from '../watch/watch.ts';
import type { Deposit } from './deposit.ts';

/** Logs an event of a deposit with the request id that created its job. @param block that showed the deposit */
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
