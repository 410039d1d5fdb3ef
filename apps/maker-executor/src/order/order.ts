/** An order that is not mined within this time reverts, s. */
export const ORDER_LIFETIME_SECONDS = 3600;

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
  readonly quotedTokens: bigint;
  /** Less than this reverts. */
  readonly minimumTokens: bigint;
  readonly placedAt: Date;
}
