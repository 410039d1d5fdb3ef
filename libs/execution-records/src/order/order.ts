/** An order that is not mined within this time reverts, ms. Source: design § 4a. */
export const ORDER_LIFE_MS = 120_000;

/** A purchase of a job, as the executor decided it. The transaction of the same id has its result. */
export interface Order {
  /** Also the id of its transaction. */
  readonly id: string;
  readonly jobId: string;
  /** 1 for the first order of the job. */
  readonly number: number;
  /** Name in the registry, such as 'hyperswap-v3'. */
  readonly exchange: string;
  /** Spent in the pool, wei. */
  readonly tradeWei: bigint;
  /** Number of standard orders in it. */
  readonly merged: number;
  /** Quote at the head at which it was signed, after the effect of earlier orders. */
  readonly quotedTokens: bigint;
  /** The order reverts if it brings less. */
  readonly minimumTokens: bigint;
  readonly placedAt: Date;
  /** Chain time after which it reverts. */
  readonly expiresAt: Date;
  /** Number of the unfilled order that this one repeats. */
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
