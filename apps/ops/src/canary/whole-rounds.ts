import { createHmac } from 'node:crypto';
import { leastPayment, splitDeposit } from '@maker/rules';

const DAY_MS = 86_400_000;

/** Unit of the payment, 0.0001 HYPE: a finer amount is not exact as a JSON number. */
const PAYMENT_STEP_WEI = 10n ** 14n;

/** Returns the payment of a whole round, wei: the smallest one for a job, rounded up to 0.0001 HYPE. */
export function wholePayment(minimumWei: bigint): bigint {
  const least = leastPayment(minimumWei);
  return ((least + PAYMENT_STEP_WEI - 1n) / PAYMENT_STEP_WEI) * PAYMENT_STEP_WEI;
}

/** Returns the number of whole rounds whose fees fit into the daily limit. */
export function wholeRoundsADay(dailyFeeWei: bigint, paymentWei: bigint): number {
  return Number(dailyFeeWei / splitDeposit(paymentWei).feeWei);
}

/**
 * Returns the idempotency key of the whole round in the current part of the day. A day has as many equal parts as whole rounds. The API
 * returns the same job for the same key. So each part has at most one whole round, for any number of starts and without stored state.
 * Others cannot guess the key, so the answer to its repetition has the stop secret. Source: docs/adr/0144.
 * @param secret that only the canary knows @returns undefined if the day has no whole round
 */
export function wholeRoundKey(
  secret: string,
  nowMs: number,
  roundsADay: number,
  tokenAddress: string,
  paymentWei: bigint,
): string | undefined {
  if (roundsADay < 1) return undefined;
  const part = Math.floor(((nowMs % DAY_MS) * roundsADay) / DAY_MS);
  const day = new Date(nowMs).toISOString().slice(0, 10);
  const round = `canary ${day} ${part + 1} of ${roundsADay} ${tokenAddress} ${paymentWei}`;
  return createHmac('sha256', secret).update(round).digest('hex');
}
