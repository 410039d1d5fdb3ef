import type { Exchange } from '@maker/chain/venues';
import type { SignedTerms } from '@maker/contracts';
import {
  BUDGET_SPENT,
  minimumOut,
  ORDER_COST_MINIMUM_WEI,
  orderSlippage,
  parseHype,
  priceOf,
  STANDARD_ORDER_WEI,
  slotsIn,
  slotsOf,
  splitDeposit,
} from '@maker/rules';
import { agreementFixture, termsFixture } from '@maker/signing/testing';
import type { Address } from 'viem';
import type { ChainFacts, TransactionFact } from './chain/chain-facts.ts';
import { poolKey, readPurchase } from './chain/read-purchase.ts';
import { blockHashOf, FakeChain, FIRST_BLOCK_SECONDS, GAS_USED, timeAt } from './fake-chain.fixture.ts';
import type { Deposit, SignedOrder, SignedReceipt, SignedTransfer } from './file/receipt-file.ts';
import { addOrder, NO_ORDERS, sumsOf } from './file/sums.ts';
import { lower, PAYER, POOL, STRANGER, TOKEN, TREASURY, VENUE, VENUES, WALLET } from './parties.fixture.ts';
import { buyCall, type CallChange, FEE_TIER, QUOTED, swapLog, transferCall, transferLog } from './purchases.fixture.ts';

/** A receipt and the facts of its chain. */
export interface JobReport {
  readonly receipt: SignedReceipt;
  readonly facts: ChainFacts;
}

/** The parameters of a simulated job. */
export interface SimulatedJob {
  readonly orderCount: number;
  readonly paidWei: bigint;
  readonly slotMs: number;
  readonly venue: Exchange;
  /** A stranger's deposit, which is refunded; 0: none. */
  readonly lateWei: bigint;
  /** Tokens for a standard order. */
  readonly quoted: bigint;
  /** From decision to block, seconds. */
  readonly delaySeconds: number;
  /** That the payer named with the job; null: none. */
  readonly returnAddress: Address | null;
  /** Of the activation; null: none is known. */
  readonly payer: Address | null;
  readonly outcome: (number: number) => SignedOrder['result'];
}

const SIGNED = new Map<string, SignedTerms>();

const JOB_ID = `job_${'0'.repeat(32)}`;

export const USUAL_JOB: SimulatedJob = {
  orderCount: 40,
  paidWei: parseHype('0.25'),
  slotMs: 462_000,
  venue: VENUE,
  lateWei: parseHype('0.01'),
  quoted: QUOTED,
  delaySeconds: 2,
  returnAddress: null,
  payer: PAYER,
  outcome: (number) => (number === 3 ? 'reverted' : number === 5 ? 'voided' : 'filled'),
};

/** How an order is made, and the effect of its transaction. */
export interface OrderPlan {
  readonly router: Address;
  readonly pool: Address;
  readonly tradeWei: bigint;
  /** HYPE that reaches the pool. */
  readonly poolWei: bigint;
  readonly quoted: bigint;
  readonly minimum: bigint;
  readonly received: bigint;
  readonly decidedSeconds: number;
  readonly minedSeconds: number;
  readonly gasPriceWei: bigint;
  readonly call: CallChange;
}

/** An honest executor. Deviating ones override its methods; by default the receipt reports all its transactions. */
export class SimulatedExecutor {
  readonly chain = new FakeChain();
  readonly job: SimulatedJob;
  readonly deposits: Deposit[] = [];
  readonly transfers: SignedTransfer[] = [];
  readonly orders: SignedOrder[] = [];
  slots = 0;

  constructor(job: Partial<SimulatedJob> = {}) {
    this.job = { ...USUAL_JOB, ...job };
  }

  get split() {
    return splitDeposit(this.job.paidWei);
  }

  /** The whole life of a job. */
  run(): JobReport {
    this.isPaid();
    this.payFee();
    for (let number = 1; number <= this.job.orderCount; number += 1) this.placeOrder(number);
    this.chain.seconds += 600;
    this.deliver();
    this.refund();
    this.returnRest();
    return this.report();
  }

  isPaid(): void {
    this.deposits.push(depositOf(this.chain.paid(PAYER, this.job.paidWei), true));
    if (this.job.lateWei > 0n) this.deposits.push(depositOf(this.chain.paid(STRANGER, this.job.lateWei), false));
  }

  payFee(to: Address = TREASURY, feeWei: bigint = this.split.feeWei): void {
    this.send('fee', to, feeWei);
  }

  planOrder(number: number): OrderPlan {
    const { slotMs, quoted, venue, delaySeconds } = this.job;
    const decidedSeconds = FIRST_BLOCK_SECONDS + 8 + Math.ceil((this.slots * slotMs) / 1000);
    return {
      router: lower(venue.router),
      pool: POOL,
      tradeWei: STANDARD_ORDER_WEI,
      poolWei: STANDARD_ORDER_WEI,
      quoted,
      minimum: minimumOut(quoted, orderSlippage(100n, number % 2 === 0)),
      received: (quoted * 999n) / 1000n,
      decidedSeconds,
      minedSeconds: decidedSeconds + delaySeconds,
      gasPriceWei: 1_000_000_000n,
      call: {},
    };
  }

  placeOrder(number: number): void {
    const { venue } = this.job;
    const plan = this.planOrder(number);
    const { tradeWei, minimum, quoted, pool, gasPriceWei } = plan;
    const result = this.job.outcome(number);
    const received = result === 'filled' ? plan.received : 0n;
    const deadline = BigInt(plan.decidedSeconds + 120);
    const call = { minimum, deadline, amountIn: tradeWei, ...plan.call };
    const logs =
      result === 'filled' ? [swapLog(plan.poolWei, received, pool, venue), transferLog(pool, WALLET, received)] : [];
    const sent =
      result === 'voided'
        ? { to: WALLET }
        : { to: plan.router, valueWei: tradeWei, input: buyCall(call, venue), succeeded: result === 'filled', logs };
    const fact = this.chain.sent({ ...sent, gasPriceWei }, plan.minedSeconds);
    this.slots += slotsOf(tradeWei);
    this.orders.push({
      number,
      result,
      venue: venue.id,
      nonce: fact.nonce,
      transactionHash: fact.hash,
      blockNumber: fact.blockNumber,
      minedAt: timeAt(fact),
      tradeWei: `${tradeWei}`,
      quotedTokens: `${quoted}`,
      minimumTokens: `${minimum}`,
      receivedTokens: `${received}`,
      priceX96: received === 0n ? null : `${priceOf(tradeWei, received)}`,
      gasWei: `${fact.gasWei}`,
    });
  }

  deliver(to: Address = PAYER, amount: bigint = this.chain.tokens): void {
    if (amount === 0n) return;
    const fact = this.chain.sent({
      to: TOKEN,
      input: transferCall(to, amount),
      logs: [transferLog(WALLET, to, amount)],
    });
    this.transfers.push(transferOf('delivery', fact, to, amount));
  }

  refund(): void {
    if (this.job.lateWei > 0n) this.send('refund', STRANGER, this.job.lateWei - GAS_USED * 1_000_000_000n);
  }

  returnRest(to: Address = PAYER): void {
    this.send('return', to, this.chain.balanceWei - GAS_USED * 1_000_000_000n);
  }

  /** Sends HYPE and lists the transfer in the receipt. */
  send(kind: SignedTransfer['kind'], to: Address, valueWei: bigint, change: Partial<TransactionFact> = {}): void {
    this.transfers.push(transferOf(kind, this.chain.sent({ to, valueWei, ...change }), to, valueWei));
  }

  /** End of trading by the plan, ms. */
  get tradingEndsAtMs(): number {
    const scheduleMs = Math.round(slotsIn(this.split.orderBudgetWei) * this.job.slotMs);
    return FIRST_BLOCK_SECONDS * 1000 + scheduleMs + 86_400_000;
  }

  /** The agreement and the activation, as the job service signed them: they follow the job, not the executor. */
  terms(change: Partial<SignedTerms['agreement']> = {}): SignedTerms {
    const { paidWei, returnAddress, payer, slotMs, quoted } = this.job;
    const [paidAt, tradingEndsAt, latestEndAt] = [
      FIRST_BLOCK_SECONDS * 1000,
      this.tradingEndsAtMs,
      this.tradingEndsAtMs + 3_600_000,
    ].map((ms) => new Date(ms).toISOString()) as [string, string, string];
    const agreement = agreementFixture({
      jobId: JOB_ID,
      chainId: 999,
      wallet: WALLET,
      tokenAddress: TOKEN,
      amountWei: `${paidWei}`,
      leastWei: `${paidWei}`,
      deadline: new Date(FIRST_BLOCK_SECONDS * 1000 + 840_000).toISOString(),
      returnAddress,
      seenPriceX96: `${priceOf(STANDARD_ORDER_WEI, quoted)}`,
      latestEndAt,
      createdAt: new Date(FIRST_BLOCK_SECONDS * 1000 - 60_000).toISOString(),
      ...change,
    });
    const activation = { depositWei: `${paidWei}`, paidAt, payer, slotMs, tradingEndsAt, latestEndAt };
    // Specs run the same jobs many times, and each signature takes some milliseconds.
    const key = JSON.stringify([agreement, activation]);
    const signed = SIGNED.get(key) ?? termsFixture(agreement, [{ activation }]);
    SIGNED.set(key, signed);
    return signed;
  }

  /** Why the job ended. Its orders fit into the gas reserve. */
  ending(): Pick<NonNullable<SignedReceipt['ending']>, 'kind' | 'message'> {
    const { orderCount } = this.job;
    return BigInt(orderCount) * STANDARD_ORDER_WEI + ORDER_COST_MINIMUM_WEI > this.split.orderBudgetWei
      ? { kind: 'completed', message: BUDGET_SPENT }
      : { kind: 'cancelled', message: 'the job was cancelled' };
  }

  report(): JobReport {
    const { job, orders, transfers, deposits, chain } = this;
    const newest = [...chain.transactions.values()].findLast(({ from }) => from === WALLET);
    if (!newest) throw new Error('the wallet sent something');
    const head = {
      format: 'maker-receipt-2' as const,
      state: 'final' as const,
      jobId: JOB_ID,
      chainId: 999,
      asOf: { blockNumber: newest.blockNumber, blockHash: blockHashOf(newest.blockNumber), at: timeAt(newest) },
      wallet: WALLET,
      token: { address: TOKEN, symbol: 'DEMO', decimals: 18 },
      payer: PAYER,
      returnAddress: PAYER,
      rules: {
        version: 1,
        feePercent: 30,
        paidWei: `${job.paidWei}`,
        slotMs: job.slotMs,
        tradingEndsAt: new Date(this.tradingEndsAtMs).toISOString(),
        latestEndAt: new Date(this.tradingEndsAtMs + 3_600_000).toISOString(),
        seenPriceX96: `${priceOf(STANDARD_ORDER_WEI, job.quoted)}`,
        bandBps: 1000,
        slippageBps: 100,
      },
      deposits,
      transfers,
      pauses: [],
      ending: { ...this.ending(), at: timeAt(newest) },
      releasedAt: null,
      heldReason: null,
      agreement: this.terms(),
    };
    const receipt = { ...head, orders, sums: sumsOf(head, orders.reduce(addOrder, NO_ORDERS)) };
    return { receipt, facts: this.facts(newest.blockNumber) };
  }

  facts(newestBlock: number): ChainFacts {
    const { chain } = this;
    return {
      chainId: 999,
      asOfBlockHash: blockHashOf(newestBlock),
      wallet: { hasCode: false, nonce: chain.nonce, balanceWei: chain.balanceWei, tokens: chain.tokens, movedOut: [] },
      tokenDecimals: 18,
      venues: VENUES,
      pools: this.pools(),
      transactions: chain.transactions,
    };
  }

  /** Answers of the factories: they name one pool for the token, at one fee tier. */
  private pools(): ReadonlyMap<string, Address | null> {
    const pools = new Map<string, Address | null>();
    for (const fact of this.chain.transactions.values()) {
      const read = readPurchase(fact, VENUES);
      if (!read?.venue) continue;
      const { venue, purchase } = read;
      const isNamed = lower(purchase.tokenOut) === TOKEN && [undefined, FEE_TIER].includes(purchase.feeTier);
      pools.set(poolKey(venue, purchase), isNamed ? POOL : null);
    }
    return pools;
  }
}

export function depositOf({ hash, blockNumber, from, valueWei }: TransactionFact, pays: boolean): Deposit {
  return { kind: 'transfer', transactionHash: hash, blockNumber, from, amountWei: `${valueWei}`, pays };
}

function transferOf(kind: SignedTransfer['kind'], fact: TransactionFact, to: Address, amount: bigint): SignedTransfer {
  const { nonce, hash: transactionHash, blockNumber, gasWei } = fact;
  return { kind, succeeded: true, nonce, transactionHash, blockNumber, to, amount: `${amount}`, gasWei: `${gasWei}` };
}
