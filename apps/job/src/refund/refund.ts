/** A refund: money that pays for no order, and what becomes of it. Amounts in wei. */
export interface Refund {
  readonly refundId: string;
  readonly jobId: string;
  readonly depositIds: readonly string[];
  /** As it arrived. */
  readonly amountWei: bigint;
  /** Whether the job had turned active. */
  readonly activated: boolean;
  /** Null while nobody is known to whom it could go. */
  readonly to: string | null;
  /** `due`: maker-executor is at it. */
  readonly status: 'due' | 'returned' | 'held';
  readonly reason?: string;
  /** The chain did not show the money when it was to be returned. */
  readonly absent?: true;
  /** What reached the recipient; absent where it went together with other money. */
  readonly returnedWei?: bigint;
  readonly transactionHash?: `0x${string}`;
}
