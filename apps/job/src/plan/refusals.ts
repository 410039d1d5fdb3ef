import { RequestFailedError, RequestFailure } from '@maker/messaging';
import { formatHype, isRefused, LEAST_USEFUL_PAYMENT_WEI, MAXIMUM_PAYMENT_WEI, type Plan } from '@maker/rules';

/** The payment is below the minimum or above the maximum. Source: specification § 5. */
export class AmountOutOfRange extends RequestFailure {
  constructor(message: string) {
    super('AMOUNT_OUT_OF_RANGE', message);
  }
}

/** token-validation refused the token, with its message for the visitor; or no pool accepts an order. */
export class TokenNotTradable extends RequestFailure {
  constructor(message: string) {
    super('TOKEN_NOT_TRADABLE', message);
  }
}

/** Other jobs have booked the capacity. */
export class NoCapacity extends RequestFailure {
  constructor(message: string) {
    super('NO_CAPACITY', message);
  }
}

/** Refuses with the code and message of another service's refusal. */
export function passOn(error: unknown): never {
  if (error instanceof RequestFailedError) throw new RequestFailure(error.code, error.message);
  throw error;
}

/**
 * Refuses an amount outside the limits. Source: specification § 5. Both in wei.
 * @throws AmountOutOfRange
 */
export function assertPaymentAmount(paymentAmountWei: bigint, minimumWei: bigint): void {
  if (paymentAmountWei >= minimumWei && paymentAmountWei <= MAXIMUM_PAYMENT_WEI) return;
  throw new AmountOutOfRange(
    `The amount must be from ${formatHype(minimumWei)} to ${formatHype(MAXIMUM_PAYMENT_WEI)} HYPE`,
  );
}

/**
 * Refuses a job whose plan cannot be kept. Source: design § 4a.
 * @param largestWei the largest budget, if the job is too large even for a bot without other jobs
 * @param freeAtMs when the ends of other jobs free capacity, ms; absent if the capacity suffices for a smaller budget
 * @throws AmountOutOfRange, TokenNotTradable, NoCapacity
 */
export function assertTaken(plan: Plan, largestWei?: bigint, freeAtMs?: number): void {
  if (!isRefused(plan)) return;
  if (plan.warnings.includes('too_small_for_one_order')) {
    const least = formatHype(LEAST_USEFUL_PAYMENT_WEI);
    throw new AmountOutOfRange(`This budget is too small for one order. The minimum is ${least} HYPE`);
  }
  if (plan.warnings.includes('no_pool')) {
    throw new TokenNotTradable('No pool of this token can take an order at the moment');
  }
  if (largestWei !== undefined) {
    const largest = formatHype(largestWei);
    throw new AmountOutOfRange(
      `The bot can trade at most ${largest} HYPE for one job at this moment: please choose a smaller budget`,
    );
  }
  if (freeAtMs === undefined)
    throw new NoCapacity('The bot is booked for a long time: please try a smaller budget, or come back later');
  const freeAt = `${new Date(freeAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  throw new NoCapacity(`The bot is booked until about ${freeAt}: please come back then`);
}
