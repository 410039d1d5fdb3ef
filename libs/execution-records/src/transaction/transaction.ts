import type { PoolTrade } from '@maker/chain';
import { larger } from '@maker/rules';
import type { Address, Hash, Hex } from 'viem';
import type { TransactionState } from './transaction-state.ts';

/** Purposes of transactions; each has its own rule in the signing policy. */
export const TRANSACTION_PURPOSES = ['fee', 'order', 'delivery', 'refund', 'return'] as const;

export type TransactionPurpose = (typeof TRANSACTION_PURPOSES)[number];

export interface OrderTerms {
  /** The order reverts if it brings less. If the pool cannot see the loss, such an order ends the job. */
  readonly minimumTokens: bigint;
  /** Chain time after which it reverts and the executor no longer waits for it. */
  readonly expiresAt: Date;
  /** Tokens that the pool quoted. */
  readonly quotedTokens: bigint;
  /** Fee of its V3 pool, in hundredths of a basis point. */
  readonly feeTier?: number;
  /** Present if it repeats an unfilled order; there is no second repeat. */
  readonly isRetry?: true;
}

/** Signed bytes for the transaction's nonce. A replacement appends an attempt; none is ever removed. */
export interface Attempt {
  readonly hash: Hash;
  readonly rawTransaction: Hex;
  readonly valueWei: bigint;
  readonly maxFeePerGasWei: bigint;
  readonly maxPriorityFeePerGasWei: bigint;
  /** Present if the bytes only use up the nonce of a cancelled order. */
  readonly isVoid?: true;
}

/** The block of a transaction, and its effects. */
export interface Inclusion {
  /** Hash of the attempt that was mined. */
  readonly hash: Hash;
  readonly blockNumber: number;
  readonly blockHash: Hash;
  /** The block's timestamp. */
  readonly blockAt: Date;
  readonly succeeded: boolean;
  readonly gasUsed: number;
  /** Gas used times the effective price, wei. */
  readonly gasWei: bigint;
  /** HYPE moved: the attempt's value, or 0 if it reverted. */
  readonly movedWei: bigint;
  /** Units of the job's token that came to the wallet. */
  readonly receivedTokens: bigint;
  /** Units of the job's token that left the wallet. */
  readonly sentTokens: bigint;
  /** The order's effect on its pool; absent if the pool emitted no event of it. */
  readonly trade?: PoolTrade;
}

/** A signed transaction of a job's wallet. */
export interface TransactionRecord {
  /** Job, purpose and, for orders and repeats, a number, so that nothing is done twice. */
  readonly id: string;
  readonly jobId: string;
  readonly purpose: TransactionPurpose;
  readonly state: TransactionState;
  readonly chainId: number;
  readonly sender: Address;
  readonly nonce: number;
  readonly to: Address;
  readonly data: Hex;
  readonly gasLimit: number;
  /** At least one; the last is the one to broadcast. */
  readonly attempts: readonly Attempt[];
  readonly inclusion: Inclusion | null;
  /** Only of an order. */
  readonly terms?: OrderTerms;
  /** Only of a refund: its id. */
  readonly refundId?: string;
  /** How often it lost its block after booking. */
  readonly reversals: number;
  readonly createdAt: Date;
}

/** A transaction before signing. Amounts in wei, fees in wei per gas. */
export interface PlannedTransaction
  extends Pick<TransactionRecord, 'id' | 'purpose' | 'to' | 'data' | 'gasLimit' | 'terms' | 'refundId'>,
    Pick<Attempt, 'valueWei' | 'maxFeePerGasWei' | 'maxPriorityFeePerGasWei'> {}

/** A transaction in a block that is deep enough to be booked. */
export interface FinalTransaction {
  readonly transaction: TransactionRecord;
  readonly inclusion: Inclusion;
}

/** The newest signed bytes, which the executor broadcasts. */
export function currentAttempt(transaction: TransactionRecord): Attempt {
  const attempt = transaction.attempts.at(-1);
  if (!attempt) throw new Error(`Transaction ${transaction.id} has no signed bytes`);
  return attempt;
}

/** Whether it is a filled order that brought less than its minimum. */
export function isShort({ terms, inclusion }: Pick<TransactionRecord, 'terms' | 'inclusion'>): boolean {
  if (!terms || !inclusion?.succeeded) return false;
  return inclusion.receivedTokens < terms.minimumTokens;
}

/** Most that it takes or may still take from its wallet, with gas, wei. */
export function mostTaken({ inclusion, attempts, gasLimit }: TransactionRecord): bigint {
  if (inclusion) return inclusion.movedWei + inclusion.gasWei;
  const costs = attempts.map(({ valueWei, maxFeePerGasWei }) => valueWei + BigInt(gasLimit) * maxFeePerGasWei);
  return costs.reduce(larger, 0n);
}

/** Whether it is in a block and reverted. */
export function wasReverted(transaction: TransactionRecord): boolean {
  return transaction.inclusion?.succeeded === false;
}
