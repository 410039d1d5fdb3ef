import type { PoolTrade } from '@maker/chain';
import { larger } from '@maker/rules';
import type { Address, Hash, Hex } from 'viem';
import type { TransactionState } from './transaction-state.ts';

/** What a transaction is for; each has its own rule in the signing policy. */
export const TRANSACTION_PURPOSES = ['fee', 'order', 'delivery', 'refund', 'return'] as const;

export type TransactionPurpose = (typeof TRANSACTION_PURPOSES)[number];

export interface OrderTerms {
  /** Less than this reverts; where a pool cannot see what arrives, it ends the job. */
  readonly minimumTokens: bigint;
  /** It reverts in a later block, and nobody waits for it any more. Chain time. */
  readonly expiresAt: Date;
  /** What it should bring. */
  readonly quotedTokens: bigint;
  /** Of the V3 pool that it goes to, in hundredths of a basis point. */
  readonly feeTier?: number;
  /** It is the second try of an order that was not filled; there is no third. */
  readonly isRetry?: true;
}

/** Bytes that may be broadcast at the transaction's nonce. A replacement appends one, and none is ever removed. */
export interface Attempt {
  readonly hash: Hash;
  readonly rawTransaction: Hex;
  readonly valueWei: bigint;
  readonly maxFeePerGasWei: bigint;
  readonly maxPriorityFeePerGasWei: bigint;
  /** Present where the bytes do nothing but use up the nonce of an order that is no longer wanted. */
  readonly isVoid?: true;
}

/** How a transaction ended up in a block. */
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
  /** HYPE that moved: the attempt's value, or 0 when it reverted. */
  readonly movedWei: bigint;
  /** Units of the job's token that came to the wallet. */
  readonly receivedTokens: bigint;
  /** Units of the job's token that left the wallet. */
  readonly sentTokens: bigint;
  /** What an order did to its pool; absent where the pool does not tell. */
  readonly trade?: PoolTrade;
}

/** A signed transaction of a job's wallet. */
export interface TransactionRecord {
  /** Says what it does, so that nothing is done twice: job, purpose and, for orders and repeats, a number. */
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
  /** Of an order. */
  readonly terms?: OrderTerms;
  /** Of a refund: which one it sends. */
  readonly refundId?: string;
  /** How often it was booked and lost its block afterwards. */
  readonly reversals: number;
  readonly createdAt: Date;
}

/** A transaction that was chosen and not yet signed. All amounts wei, fees per gas. */
export interface PlannedTransaction
  extends Pick<TransactionRecord, 'id' | 'purpose' | 'to' | 'data' | 'gasLimit' | 'terms' | 'refundId'>,
    Pick<Attempt, 'valueWei' | 'maxFeePerGasWei' | 'maxPriorityFeePerGasWei'> {}

/** A transaction in a block that is deep enough to be booked. */
export interface FinalTransaction {
  readonly transaction: TransactionRecord;
  readonly inclusion: Inclusion;
}

/** The bytes that are to be broadcast now. */
export function currentAttempt(transaction: TransactionRecord): Attempt {
  const attempt = transaction.attempts.at(-1);
  if (!attempt) throw new Error(`Transaction ${transaction.id} has no signed bytes`);
  return attempt;
}

/** Whether it is an order that was filled and of which less arrived than its minimum. */
export function isShort({ terms, inclusion }: Pick<TransactionRecord, 'terms' | 'inclusion'>): boolean {
  if (!terms || !inclusion?.succeeded) return false;
  return inclusion.receivedTokens < terms.minimumTokens;
}

/** The most that it takes, or may still take, from its wallet, gas included, wei. */
export function mostTaken({ inclusion, attempts, gasLimit }: TransactionRecord): bigint {
  if (inclusion) return inclusion.movedWei + inclusion.gasWei;
  const costs = attempts.map(({ valueWei, maxFeePerGasWei }) => valueWei + BigInt(gasLimit) * maxFeePerGasWei);
  return costs.reduce(larger, 0n);
}

/** Whether it is in a block and did nothing but cost gas. */
export function wasReverted(transaction: TransactionRecord): boolean {
  return transaction.inclusion?.succeeded === false;
}
