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
import type { RecipientTrust } from '@maker/signing/agreement';
import type { Address, Hex } from 'viem';
import type { UnfilledOrder } from '../order/plan-orders.ts';
import type { PoolOffer } from '../order/price-orders.ts';
import type { LostOrders } from '../tracking/book-transactions.ts';
import type { FoundTransaction, Settled } from '../tracking/receipt-finder.ts';

/** The market at one block, and the wallet's tokens at the same block. */
export interface MarketNow {
  /** Deep enough to buy from. */
  readonly deepPools: readonly PoolLiquidity[];
  /** Deep pools that have not recently refused a buy, the cheapest first. */
  readonly offers: readonly PoolOffer[];
  /** In the token's smallest unit; undefined if the token gives no balance. */
  readonly walletTokens: bigint | undefined;
  /** Block of the quotes, or the newest height before the request. */
  readonly quotedAtBlock: number;
  /** Whether two hosts agree on it, or the only host, which is trusted. */
  readonly isConfirmed: boolean;
}

type NoArguments = Record<never, never>;

/** Questions of a tick: the arguments of each, and its answer. */
export interface Questions {
  /** HYPE of the wallet at the head or later, confirmed if it differs from the ledger; undefined if the endpoint lags. */
  balance: [{ readonly expectedWei?: bigint }, WalletBalance | undefined];
  /** Number of the wallet's nonces used on the chain. */
  usedNonces: [{ readonly expected: number }, number];
  /** Which of some transactions are in blocks. */
  inclusions: [{ readonly transactions: readonly TransactionRecord[] }, readonly FoundTransaction[]];
  /** Transactions that hosts confirm, and transactions that hosts say are lost; the others are undecided. */
  settled: [{ readonly finals: readonly FinalTransaction[] }, Settled];
  /** Final transactions that have left the chain; undefined while the chain is lower than the block of one. */
  lostTransactions: [NoArguments, LostOrders | undefined];
  /** Transactions ever signed for some purposes, by nonce. */
  signed: [
    { readonly purposes: readonly TransactionPurpose[]; readonly refundId?: string },
    readonly TransactionRecord[],
  ];
  unfilledOrders: [{ readonly numbers: readonly number[] }, readonly UnfilledOrder[]];
  tokenMetadata: [NoArguments, TokenMetadata | undefined];
  /** The wallet's balance of the job's token, or of another one; undefined if the token gives no balance. */
  walletTokens: [{ readonly token?: Address; readonly expected?: bigint }, bigint | undefined];
  transferGas: [{ readonly to: Address; readonly valueWei: bigint; readonly data?: Hex }, TransferGas];
  /** The market; with `isConfirmed`, two hosts must agree on it. */
  market: [
    { readonly amounts: readonly bigint[]; readonly tradeWei: bigint; readonly isConfirmed: boolean },
    MarketNow,
  ];
  /** Price of the next order that two hosts agree on. */
  confirmedPrice: [NoArguments, ConfirmedPrice];
  /** Gas that a buy uses; undefined if it would revert. */
  orderGas: [{ readonly pool: Address; readonly buy: BuyTransaction; readonly usualGas: bigint }, bigint | undefined];
  /** The newest height read so far. */
  newestBlock: [NoArguments, number];
  startPools: [{ readonly pools: MarketNow['deepPools'] }, readonly StartPool[]];
  /** Whether the entries of the job's ledger add up to its totals; fails if they do not. */
  ledgerAddsUp: [NoArguments, true];
  /** The oldest refunds of a job in a state. */
  refunds: [{ readonly state: Refund['state']; readonly most?: number }, readonly Refund[]];
  refund: [{ readonly id: string }, Refund | undefined];
  /** Sums by state. @param exceptDueTo leaves out refunds due to this address */
  refundSums: [{ readonly exceptDueTo: Address | null }, RefundSums];
  /** Number of returns of unexplained money to an address. */
  unexplainedReturns: [{ readonly to: Address }, number];
  /** Whether the chain proves the sender of some transfers to the wallet. */
  sender: [{ readonly sender: Address; readonly transfers: readonly TransferClaim[] }, ClaimVerdict];
  /** Whether all hosts show that these proven transfers came after a time of the chain, ms; undefined while too few answer. */
  minedAfter: [Questions['sender'][0] & { readonly timeMs: number }, boolean | undefined];
  /** Whether any of some deposits was refunded by its own transfer. */
  returnedBefore: [{ readonly depositIds: readonly string[] }, boolean];
  /** The job's refunds once all services know every deposit up to a block; undefined before. */
  depositsKnown: [{ readonly atBlock: number }, RefundSums | undefined];
}

/** What a tick claims before it signs: the arguments of each claim, and its result. Only `apply` makes claims. */
export interface Claims {
  /** Number of transactions that have room in the minute's gas. The room is claimed until the transactions are saved. */
  room: [{ readonly gasLimit: number; readonly count: number }, number];
  /** Whether the job service has booked the job's pace until its end; undefined if it does not answer. */
  capacity: [NoArguments, boolean | undefined];
}

type Asked = Questions & Claims;

/** A claim with its arguments. */
export type Claim = { [Kind in keyof Claims]: { readonly kind: Kind } & Claims[Kind][0] }[keyof Claims];

/** Kind of a question. */
export type QuestionKind = keyof Questions;

/** A question with its arguments. */
export type Question = { [Kind in QuestionKind]: { readonly kind: Kind } & Questions[Kind][0] }[QuestionKind];

/** Whether `apply` answers it. */
export function isClaim(asked: Question | Claim): asked is Claim {
  return asked.kind === 'room' || asked.kind === 'capacity';
}

/** Thrown to stop a tick's decisions until a question is answered; never leaves `decide`. Not an `Error`, whose stack is expensive. */
export class Unanswered {
  constructor(readonly question: Question | Claim) {}

  get message(): string {
    return `'${this.question.kind}' has no answer yet`;
  }
}

/** Thrown if a question could not be answered, or a claim could not be made; never leaves `decide`. */
export class Unanswerable extends Error {
  constructor({ kind }: Question | Claim) {
    super(`'${kind}' could not be read`);
  }
}

type Outcome = { readonly answer: unknown } | { readonly failure: true };

/** Answers read for a tick. Each question is read once, when a decision asks it. */
export class View {
  constructor(
    readonly head: BlockHead,
    /** Our clock, to stamp records, ms. */
    readonly nowMs: number,
    private readonly outcomes: ReadonlyMap<string, Outcome> = new Map(),
    /** A clock that only goes forward, to wait, ms. */
    readonly steadyMs = nowMs,
  ) {}

  /** @throws Unanswered, Unanswerable */
  ask<Kind extends keyof Asked>(kind: Kind, arguments_: Asked[Kind][0]): Asked[Kind][1] {
    const question = { kind, ...arguments_ } as Question | Claim;
    const outcome = this.outcomes.get(keyOf(question));
    if (!outcome) throw new Unanswered(question);
    if ('failure' in outcome) throw new Unanswerable(question);
    return outcome.answer as Asked[Kind][1];
  }

  answered(question: Question | Claim, answer: unknown): View {
    return this.with(question, { answer });
  }

  failed(question: Question | Claim): View {
    return this.with(question, { failure: true });
  }

  private with(question: Question | Claim, outcome: Outcome): View {
    return new View(this.head, this.nowMs, new Map(this.outcomes).set(keyOf(question), outcome), this.steadyMs);
  }
}

function keyOf(question: Question | Claim): string {
  if ('finals' in question) return `settled ${question.finals.map(({ transaction }) => transaction.id).join(' ')}`;
  if ('transactions' in question) return `${question.kind} ${question.transactions.map(({ id }) => id).join(' ')}`;
  return JSON.stringify(question, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

/** Rules that are the same for every job: limits of the configuration, and the calldata of a buy. */
export interface TickRules {
  readonly trust: RecipientTrust;
  readonly treasury: Address;
  readonly confirmations: number;
  readonly mostInFlight: number;
  /** Number of reverted orders in a row that ends trading. */
  readonly mostConsecutiveFailures: number;
  /** Time without a deep enough pool after which trading ends, ms. */
  readonly liquidityTimeoutMs: number;
  readonly reconcileMs: number;
  buyTransaction(order: BuyOrder): BuyTransaction;
}
