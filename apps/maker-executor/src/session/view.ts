import type {
  BlockHead,
  BuyOrder,
  BuyTransaction,
  ClaimVerdict,
  ConfirmedPrice,
  PoolLiquidity,
  TokenMetadata,
  TransferGas,
  WalletBalance,
} from '@maker/chain';
import type {
  FinalTransaction,
  Refund,
  RefundSums,
  StartPool,
  TransactionPurpose,
  TransactionRecord,
  TransferClaim,
} from '@maker/execution-records';
import type { Address, Hex } from 'viem';
import type { UnfilledOrder } from '../order/plan-orders.ts';
import type { PoolOffer } from '../order/price-orders.ts';
import type { LostOrders } from '../tracking/book-transactions.ts';
import type { FoundTransaction, Settled } from '../tracking/receipt-finder.ts';

/** The market at one block, and what the job's wallet has of the token at the same block. */
export interface MarketNow {
  /** Deep enough to buy from. */
  readonly deepPools: readonly PoolLiquidity[];
  /** Of those that have not lately refused, the cheapest first. */
  readonly offers: readonly PoolOffer[];
  /** In the token's smallest unit; undefined where the token does not say. */
  readonly walletTokens: bigint | undefined;
  /** The newest height that was known before it was asked. */
  readonly quotedAtBlock: number;
  /** Whether two hosts tell it, or the only one, which is trusted. */
  readonly isConfirmed: boolean;
}

type NoArguments = Record<never, never>;

/** What a tick can ask: the arguments of each question, and its answer. */
export interface Questions {
  /** HYPE of the wallet at the head or later, confirmed where the ledger expects another; undefined where the endpoint lags. */
  balance: [{ readonly expectedWei?: bigint }, WalletBalance | undefined];
  /** Nonces of the wallet that the chain has used up. */
  usedNonces: [{ readonly expected: number }, number];
  /** Which of some transactions are in blocks. */
  inclusions: [{ readonly transactions: readonly TransactionRecord[] }, readonly FoundTransaction[]];
  /** Which transactions in blocks hosts confirm, and which not; of the others nothing is known. */
  settled: [{ readonly finals: readonly FinalTransaction[] }, Settled];
  /** Undefined while the chain is lower than the block of one of them. */
  lostTransactions: [NoArguments, LostOrders | undefined];
  /** Transactions that were ever signed for some purposes, by nonce. */
  signed: [
    { readonly purposes: readonly TransactionPurpose[]; readonly refundId?: string },
    readonly TransactionRecord[],
  ];
  unfilledOrders: [{ readonly numbers: readonly number[] }, readonly UnfilledOrder[]];
  tokenMetadata: [NoArguments, TokenMetadata | undefined];
  /** Units of the wallet, of the job's token unless another is named; undefined where the token does not say. */
  walletTokens: [{ readonly token?: Address; readonly expected?: bigint }, bigint | undefined];
  transferGas: [{ readonly to: Address; readonly valueWei: bigint; readonly data?: Hex }, TransferGas];
  /** How many of some transactions have room in the minute's gas. What is granted is claimed until the tick ends. */
  room: [{ readonly gasLimit: number; readonly count: number }, number];
  /** Confirmed: as two hosts tell it. */
  market: [
    { readonly amounts: readonly bigint[]; readonly tradeWei: bigint; readonly isConfirmed: boolean },
    MarketNow,
  ];
  /** Price of the next order as two hosts tell it. */
  confirmedPrice: [NoArguments, ConfirmedPrice];
  /** Gas that a buy uses; undefined where it would revert. */
  orderGas: [{ readonly pool: Address; readonly buy: BuyTransaction; readonly usualGas: bigint }, bigint | undefined];
  /** The newest height known by now. */
  newestBlock: [NoArguments, number];
  startPools: [{ readonly pools: MarketNow['deepPools'] }, readonly StartPool[]];
  /** That the entries of the job's ledger add up to its totals; cannot be answered where they do not. */
  ledgerAddsUp: [NoArguments, true];
  /** The oldest refunds of a job in a state. */
  refunds: [{ readonly state: Refund['state']; readonly most?: number }, readonly Refund[]];
  refund: [{ readonly id: string }, Refund | undefined];
  /** Sums by state. @param exceptDueTo leaves out what is due to this address */
  refundSums: [{ readonly exceptDueTo: Address | null; readonly isReread?: true }, RefundSums];
  /** How often unexplained money was returned to an address. */
  unexplainedReturns: [{ readonly to: Address }, number];
  /** Whether the chain proves who sent some transfers to the wallet. */
  sender: [{ readonly sender: Address; readonly transfers: readonly TransferClaim[] }, ClaimVerdict];
  /** Whether one of some deposits went back by a transfer of its own. */
  returnedBefore: [{ readonly depositIds: readonly string[] }, boolean];
  /** Whether every deposit up to a block is known to have been handled. */
  depositsKnown: [{ readonly atBlock: number }, boolean];
}

/** Kind of a question. */
export type QuestionKind = keyof Questions;

/** A question with its arguments. */
export type Question = { [Kind in QuestionKind]: { readonly kind: Kind } & Questions[Kind][0] }[QuestionKind];

/** Thrown to end a tick's decisions until a question has its answer; never leaves `decide`. No error: each tick throws some, and a stack is dear. */
export class Unanswered {
  constructor(readonly question: Question) {}

  get message(): string {
    return `'${this.question.kind}' has no answer yet`;
  }
}

/** Thrown where a question could not be answered; never leaves `decide`. */
export class Unanswerable extends Error {
  constructor(question: Question) {
    super(`'${question.kind}' could not be read`);
  }
}

type Outcome = { readonly answer: unknown } | { readonly failure: true };

/** What was read for a tick. Answers are added as questions come up; the same question is asked once. */
export class View {
  constructor(
    readonly head: BlockHead,
    /** Our clock, ms. */
    readonly nowMs: number,
    private readonly outcomes: ReadonlyMap<string, Outcome> = new Map(),
  ) {}

  /** @throws Unanswered, Unanswerable */
  ask<Kind extends QuestionKind>(kind: Kind, arguments_: Questions[Kind][0]): Questions[Kind][1] {
    const question = { kind, ...arguments_ } as Question;
    const outcome = this.outcomes.get(keyOf(question));
    if (!outcome) throw new Unanswered(question);
    if ('failure' in outcome) throw new Unanswerable(question);
    return outcome.answer as Questions[Kind][1];
  }

  answered(question: Question, answer: unknown): View {
    return this.with(question, { answer });
  }

  failed(question: Question): View {
    return this.with(question, { failure: true });
  }

  private with(question: Question, outcome: Outcome): View {
    return new View(this.head, this.nowMs, new Map(this.outcomes).set(keyOf(question), outcome));
  }
}

function keyOf(question: Question): string {
  if ('finals' in question) return `settled ${question.finals.map(({ transaction }) => transaction.id).join(' ')}`;
  if ('transactions' in question) return `${question.kind} ${question.transactions.map(({ id }) => id).join(' ')}`;
  return JSON.stringify(question, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

/** What is the same for every job: limits of the configuration, and the calldata of a buy. */
export interface TickRules {
  readonly treasury: Address;
  readonly confirmations: number;
  readonly mostInFlight: number;
  /** Reverted orders in a row that end trading. */
  readonly mostConsecutiveFailures: number;
  /** Time without a pool that is deep enough that ends trading, ms. */
  readonly liquidityTimeoutMs: number;
  readonly reconcileMs: number;
  buyTransaction(order: BuyOrder): BuyTransaction;
}
