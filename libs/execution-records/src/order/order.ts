/** An order that is not mined within this time reverts, ms. Source: design § 4a. */
export const ORDER_LIFE_MS = 120_000;

/** A buy of a job, as it was decided. How it went is known from the transaction of the same id. */
export interface Order {
  /** Id of its transaction too. */
  readonly id: string;
  readonly jobId: string;
  /** 1 for the first order of the job. */
  readonly number: number;
  /** Name in the registry, such as 'hyperswap-v3'. */
  readonly exchange: string;
  /** Spent in the pool, wei. */
  readonly tradeWei: bigint;
  /** Standard orders that it stands for. */
  readonly merged: number;
  /** At the head at which it was signed, behind the orders before it. */
  readonly quotedTokens: bigint;
  /** Less than this reverts. */
  readonly minimumTokens: bigint;
  readonly placedAt: Date;
  /** Chain time from which on it reverts. */
  readonly expiresAt: Date;
  /** Number of the order that was not filled and that this one tries once more. */
  readonly retryOf?: number;
}

/** Id of a job's order and of its transaction. */
export function orderId(jobId: string, number: number): string {
  return `${jobId}/order/${number}`;
}

/** The number in an order's id. */
export function orderNumber(id: string): number {
  return Number(id.slice(id.lastIndexOf('/') + 1));
}
