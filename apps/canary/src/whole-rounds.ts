import { leastPayment, splitDeposit } from '@maker/rules';

const DAY_MS = 86_400_000;

/** What a visitor could type as well: a finer amount is no number of an HTTP body. */
const PAYMENT_STEP_WEI = 10n ** 14n;

/** The least that a job is paid, at which a whole round pays: the configured minimum, rounded up to 0.0001 HYPE. Wei. */
export function wholePayment(minimumWei: bigint): bigint {
  const least = leastPayment(minimumWei);
  return ((least + PAYMENT_STEP_WEI - 1n) / PAYMENT_STEP_WEI) * PAYMENT_STEP_WEI;
}

/** Whole rounds that the fees of a day pay for. */
export function wholeRoundsADay(dailyFeeWei: bigint, paymentWei: bigint): number {
  return Number(dailyFeeWei / splitDeposit(paymentWei).feeWei);
}

/**
 * The key under which the whole round of this part of the day creates its job: as many parts a day as there are whole rounds, each as long as the
 * others. The API gives the same job to the same key, so that a part has one whole round however often the program is started, and nothing has to be kept.
 * @returns undefined where a day has none
 */
export function wholeRoundKey(
  nowMs: number,
  roundsADay: number,
  tokenAddress: string,
  paymentWei: bigint,
): string | undefined {
  if (roundsADay < 1) return undefined;
  const part = Math.floor(((nowMs % DAY_MS) * roundsADay) / DAY_MS);
  const day = new Date(nowMs).toISOString().slice(0, 10);
  return `canary-${day}-${part + 1}-of-${roundsADay}-${tokenAddress}-${paymentWei}`;
}
