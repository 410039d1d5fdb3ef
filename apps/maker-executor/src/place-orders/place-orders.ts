import { minimumOut, type PauseReason, priceNow } from '@maker/rules';
import { Clock } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { ChainAccess } from '../chain/chain-access.ts';
import { MAKER_CONFIGURATION, type MakerConfiguration } from '../configuration.ts';
import type { Execution, ExecutionEnding } from '../execution/execution.ts';
import { ExecutionWriter } from '../execution/execution-writer.ts';
import { type LeasedExecution, type PhaseStep, unconfirmed } from '../execution/leased-execution.ts';
import { MakerMetrics } from '../metrics/maker.metrics.ts';
import { ORDER_LIFE_MS } from '../order/order.ts';
import { OrdersRepository } from '../order/orders.repository.ts';
import { PauseControl } from '../pause/pause-control.ts';
import { BlockShare } from '../send/block-share.ts';
import { orderFees } from '../send/fees.ts';
import { withMargin } from '../send/gas.ts';
import { TransactionSender } from '../send/transaction-sender.ts';
import { currentAttempt, isShort } from '../transaction/transaction.ts';
import { newOrders, orderTransaction } from './new-orders.ts';
import { OrderMarket, type PoolOffer } from './order-market.ts';
import { type OrderPlan, planOrders, type UnfilledOrder } from './plan-orders.ts';
import { cappedTrade, type PricedOrder, priceOrders, quotedAmounts } from './price-orders.ts';
import { tradingEnd } from './trading-end.ts';

/** Time between two quotes where the first gave reason to wait, or the share of the blocks did, ms. */
const MARKET_RETRY_MS = 3000;

/** An endpoint that shows fewer tokens than were bought is believed after this many blocks. */
const LAG_BLOCKS = 10;

type PlannedOrders = Extract<OrderPlan, { kind: 'orders' }>;

/** Orders for one pool, priced; what the band or the share of the blocks cut off is in the plan alone. */
interface Batch {
  readonly offer: PoolOffer;
  /** Height at which the pool was asked. */
  readonly quotedAtBlock: number;
  readonly plan: PlannedOrders;
  readonly priced: readonly PricedOrder[];
  /** The plan as it would be by what is known of gas by now. */
  readonly planAgain: () => OrderPlan;
}

/** Buys on schedule until the budget is spent, or until it can no longer be. Source: design §§ 2, 4 and 4a. */
@Injectable()
export class PlaceOrders implements PhaseStep {
  /** When the market is asked again, by job, ms of the chain's clock. */
  private readonly nextQuoteMs = new Map<string, number>();
  /** Height at which a wallet was first found to hold fewer tokens than its receipts say, by job. */
  private readonly missesSince = new Map<string, number>();

  constructor(
    @Inject(MAKER_CONFIGURATION) private readonly configuration: MakerConfiguration,
    private readonly chain: ChainAccess,
    private readonly market: OrderMarket,
    private readonly share: BlockShare,
    private readonly sender: TransactionSender,
    private readonly writer: ExecutionWriter,
    private readonly orders: OrdersRepository,
    private readonly pauses: PauseControl,
    private readonly clock: Clock,
    private readonly metrics: MakerMetrics,
  ) {}

  /**
   * Ends trading that may not go on, whatever pauses it: what is under way is waited for, which takes two minutes at most.
   * @returns it in `delivery`, or as it was
   */
  async endWhenOver(leased: LeasedExecution): Promise<LeasedExecution> {
    const { execution, head, open } = leased;
    if (execution.phase !== 'trading' || open.length > 0) return leased;
    const ending = tradingEnd(execution, head.timestampMs, this.endLimits);
    return ending ? this.end(leased, ending) : leased;
  }

  async advance(leased: LeasedExecution): Promise<LeasedExecution> {
    const { execution, head, open } = leased;
    if (tradingEnd(execution, head.timestampMs, this.endLimits) || open.some(isShort)) return leased;
    const unfilled = await this.unfilled(execution);
    const planWith = (largestWei?: bigint) => this.plan(leased, unfilled, largestWei);
    const plan = planWith();
    if (plan.kind === 'spent') return this.end(leased, { kind: 'completed', message: 'the budget is spent' });
    if (plan.kind === 'pause') return this.pauses.set(leased, plan.reason);
    if (plan.kind === 'wait' || head.timestampMs < (this.nextQuoteMs.get(execution.id) ?? 0)) return leased;
    return this.buy(leased, plan, planWith);
  }

  private get endLimits() {
    const { MAKER_MOST_CONSECUTIVE_FAILURES, MAKER_LIQUIDITY_TIMEOUT_SECONDS } = this.configuration;
    return {
      mostConsecutiveFailures: MAKER_MOST_CONSECUTIVE_FAILURES,
      liquidityTimeoutMs: MAKER_LIQUIDITY_TIMEOUT_SECONDS * 1000,
    };
  }

  /** What an order of these was to spend is kept with it alone. */
  private async unfilled({ id, retries }: Execution): Promise<readonly UnfilledOrder[]> {
    return retries.length === 0 ? [] : this.orders.numbered(id, retries);
  }

  private plan(
    { execution, head, open }: LeasedExecution,
    unfilled: readonly UnfilledOrder[],
    largestWei?: bigint,
  ): OrderPlan {
    return planOrders(execution, {
      nowMs: head.timestampMs,
      cost: {
        gas: this.market.gasExpected(execution.id),
        gasPriceWei: head.baseFeeWei + head.tipWei,
        ...(largestWei !== undefined && { largestWei }),
      },
      open,
      mostInFlight: this.configuration.MAKER_MAX_IN_FLIGHT,
      unfilled,
    });
  }

  /** Buys where it costs least; a pool that quotes and does not deliver, or is too thin, is passed over for the next. */
  private async buy(
    leased: LeasedExecution,
    planned: PlannedOrders,
    planWith: (largestWei?: bigint) => OrderPlan,
  ): Promise<LeasedExecution> {
    const { execution, head } = leased;
    // Seen before the market is asked, which costs requests.
    if (!(await this.share.hasRoom(leased, Number(this.market.gasExpected(execution.id))))) return this.later(leased);
    const aheadWei = unconfirmed(leased).reduce((sum, open) => sum + currentAttempt(open).valueWei, 0n);
    const [{ tradeWei }] = planned.orders;
    const amounts = quotedAmounts(planned.orders, aheadWei);
    const { offers, walletTokens, quotedAtBlock } = await this.market.now(execution, head, amounts, tradeWei);
    if (this.misses(leased, walletTokens)) return this.doubt(leased);
    this.missesSince.delete(execution.id);

    for (const offer of offers) {
      const capWei = cappedTrade(offer.curve, tradeWei, execution.plan);
      const largestWei = capWei < tradeWei ? capWei : undefined;
      const plan = largestWei === undefined ? planned : planWith(largestWei);
      if (plan.kind !== 'orders') continue;
      const pricing = { plan: execution.plan, aheadWei, isRetry: plan.retryOf !== undefined };
      const priced = priceOrders(offer.curve, plan.orders, pricing);
      if (!priced) continue;
      // The cheapest that could fill it: the others are dearer still.
      if (priced.length === 0) return this.wait(leased, 'price_band');
      const placed = await this.placeIn(leased, {
        offer,
        quotedAtBlock,
        plan,
        priced,
        planAgain: () => planWith(largestWei),
      });
      if (placed) return placed;
    }
    return this.wait(leased, 'thin_liquidity');
  }

  /** @returns undefined where the pool refuses the first of them */
  private async placeIn(leased: LeasedExecution, batch: Batch): Promise<LeasedExecution | undefined> {
    const { execution, head } = leased;
    const { offer, plan, priced } = batch;
    const [first] = priced;
    if (!first) return undefined;
    const expiresAt = new Date(head.timestampMs + ORDER_LIFE_MS);
    const gas = await this.market.estimateGas(
      execution,
      offer,
      this.buyOf(leased, offer, first, expiresAt),
      head.number,
    );
    if (gas === undefined) return undefined;
    // It needs more gas than it was sized for: the next block has an order that is worth it.
    const again = batch.planAgain();
    if (again.kind === 'orders' && again.orders[0].merged > plan.orders[0].merged && plan.retryOf === undefined)
      return leased;
    const resumed = await this.pauses.set(leased, undefined);
    const started = await this.rememberStart(resumed);
    const gasLimit = Number(withMargin(gas));
    return this.share.within(started, { gasLimit, count: priced.length }, async (count) => {
      if (count === 0) return this.later(started);
      // The blocks that came since bring another tick at once.
      if (this.market.hasMovedOn(execution, batch.quotedAtBlock)) return started;
      return this.place(started, { ...batch, priced: priced.slice(0, count) }, { gasLimit, expiresAt });
    });
  }

  /** What the pools would have given at once is compared with, once it is known what was spent. Source: docs/quality.md. */
  private async rememberStart(leased: LeasedExecution): Promise<LeasedExecution> {
    const { execution } = leased;
    if (execution.startPools !== null || execution.ordersSigned > 0) return leased;
    return this.writer.write(leased, { startPools: await this.market.start(execution) });
  }

  private buyOf(
    { execution }: LeasedExecution,
    { pool }: PoolOffer,
    { tradeWei, minimumTokens }: Pick<PricedOrder, 'tradeWei' | 'minimumTokens'>,
    expiresAt: Date,
  ) {
    return this.chain.market.buyTransaction({
      pool,
      amountInWei: tradeWei,
      minimumTokensOut: minimumTokens,
      recipient: execution.walletAddress,
      deadlineSeconds: BigInt(Math.floor(expiresAt.getTime() / 1000)),
    });
  }

  private async place(
    leased: LeasedExecution,
    { offer, plan, priced }: Batch,
    { gasLimit, expiresAt }: { readonly gasLimit: number; readonly expiresAt: Date },
  ): Promise<LeasedExecution> {
    const { execution, head } = leased;
    const { plan: agreed, retries } = execution;
    const { retryOf } = plan;
    const terms = { pool: offer.pool, placedAt: new Date(this.clock.now()), expiresAt, retryOf };
    const orders = newOrders(execution, priced, terms);
    const gas = { gasLimit, ...orderFees(head.baseFeeWei, head.tipWei) };
    const transactions = orders.map((order) =>
      orderTransaction(order, this.buyOf(leased, offer, order, expiresAt), terms, gas),
    );
    // What was cut off the batch stays due.
    const cutSlots = plan.orders.slice(priced.length).reduce((sum, { merged }) => sum + merged, 0);
    const after = await this.sender.send(leased, transactions, {
      change: {
        ordersSigned: execution.ordersSigned + orders.length,
        nextOrderAtMs: plan.nextOrderAtMs - cutSlots * agreed.slotMs,
        plan: { ...agreed, seenPriceX96: agreed.seenPriceX96 ?? priceNow(offer.curve) },
        retries: retries.filter((number) => number !== retryOf),
      },
      write: (session) => this.orders.insert(orders, session),
    });
    this.metrics.ordersSigned(orders.length);
    return after;
  }

  /** Whether the wallet holds fewer tokens than its receipts say it must, slippage allowed. */
  private misses({ execution, open }: LeasedExecution, walletTokens: bigint | undefined): boolean {
    const { totals, plan } = execution;
    const unbooked = open.reduce((sum, { inclusion }) => sum + (inclusion?.receivedTokens ?? 0n), 0n);
    const received = totals.boughtWei - totals.deliveredWei + unbooked;
    return walletTokens === undefined || walletTokens < minimumOut(received, BigInt(plan.slippageBps));
  }

  /** Nothing is bought while the wallet shows less than was bought; an endpoint that lags catches up in a few blocks. */
  private async doubt(leased: LeasedExecution): Promise<LeasedExecution> {
    const { execution, head, open } = leased;
    const since = this.missesSince.get(execution.id) ?? head.number;
    this.missesSince.set(execution.id, since);
    if (head.number - since < LAG_BLOCKS || open.length > 0) return leased;
    return this.end(leased, {
      kind: 'technical',
      message: 'the wallet holds fewer tokens than its orders were to bring',
    });
  }

  private async wait(leased: LeasedExecution, reason: PauseReason): Promise<LeasedExecution> {
    return this.pauses.set(this.later(leased), reason);
  }

  private later(leased: LeasedExecution): LeasedExecution {
    this.nextQuoteMs.set(leased.execution.id, leased.head.timestampMs + MARKET_RETRY_MS);
    return leased;
  }

  private async end(leased: LeasedExecution, ending: ExecutionEnding): Promise<LeasedExecution> {
    const { id } = leased.execution;
    this.market.forget(id);
    this.nextQuoteMs.delete(id);
    this.missesSince.delete(id);
    const resumed = await this.pauses.set(leased, undefined);
    const at = new Date(leased.head.timestampMs);
    return this.writer.write(resumed, { phase: 'delivery', ending: { ...ending, at } });
  }
}
