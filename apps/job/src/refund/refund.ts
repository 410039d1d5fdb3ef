/** A refund of money that pays for no order, with its outcome. Amounts in wei. */
export interface Refund {
  readonly refundId: string;
  readonly jobId: string;
  readonly depositIds: readonly string[];
  /** Sum of the deposits as they arrived. */
  readonly amountWei: bigint;
  /** Whether the job had become active. */
  readonly activated: boolean;
  /** Recipient; null if none is known. */
  readonly to: string | null;
  /** `due`: maker-executor works on it. */
  readonly status: 'due' | 'returned' | 'held';
  readonly reason?: string;
  /** Present if the chain did not show the money at the time of the transfer. */
  readonly absent?: true;
  /** Amount that the recipient received; absent if the transfer also moved other money. */
  readonly returnedWei?: bigint;
  readonly transactionHash?: `0x${string}`;
}
