import type { BuyTransaction, PoolQuote } from '@maker/chain';
import { minimumOut, type PauseReason } from '@maker/rules';
import { Clock } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { ChainAccess } from '../chain/chain-access.ts';
import { MAKER_CONFIGURATION, type MakerConfiguration } from '../configuration.ts';
import type { ExecutionEnding } from '../execution/execution.ts';
import { ExecutionWriter } from '../execution/execution-writer.ts';
import { type LeasedExecution, type PhaseStep, unconfirmed } from '../execution/leased-execution.ts';
import { MakerMetrics } from '../metrics/maker.metrics.ts';
import { ORDER_LIFETIME_SECONDS, type Order } from '../order/order.ts';
import { OrdersRepository } from '../order/orders.repository.ts';
import { PauseControl } from '../pause/pause-control.ts';
import { marketPause, priceTokens } from '../pause/pause-reason.ts';
import { type Fees, orderFees } from '../send/fees.ts';
import { withMargin } from '../send/gas.ts';
import { TransactionSender } from '../send/transaction-sender.ts';
import { OrderMarket } from './order-market.ts';
import { type OrderPlan, planOrders } from './plan-orders.ts';

/** Time between two quotes of a market that gave reason to wait, ms. */
const MARKET_RETRY_MS = 3000;

type PlannedOrders = Extract<OrderPlan, { kind: 'order' }>;

interface PricedOrder {
  readonly quote: PoolQuote;
  readonly minimumTokens: bigint;
  readonly buy: BuyTransaction;
  readonly fees: Fees;
  readonly gasLimit: number;
}

/** Buys on schedule until the budget is spent, or until it can no longer be. Source: design §§ 2 and 4. */
@Injectable()
export class PlaceOrders implements PhaseStep {
  /** When the market is asked again, by job, ms of the chain's clock. */
  private readonly nextQuoteMs = new Map<string, number>();

  constructor(
    @Inject(MAKER_CONFIGURATION) private readonly configuration: MakerConfiguration,
    private readonly chain: ChainAccess,
    private readonly market: OrderMarket,
    private readonly sender: TransactionSender,
    private readonly writer: ExecutionWriter,
    private readonly orders: OrdersRepository,
    private readonly pauses: PauseControl,
    private readonly clock: Clock,
    private readonly metrics: MakerMetrics,
  ) {}

  async advance(leased: LeasedExecution): Promise<LeasedExecution> {
    const { execution, head, open } = leased;
    const hopeless = this.hopeless(leased);
    if (hopeless) return open.length > 0 ? leased : this.end(leased, hopeless);
    const plan = planOrders(execution, {
      nowMs: head.timestampMs,
      baseFeeWei: head.baseFeeWei,
      gasExpected: this.market.gasExpected(execution.id),
      openOrders: open.length,
      freeNonces: this.configuration.MAKER_MAX_IN_FLIGHT - unconfirmed(leased).length,
    });
    if (plan.kind === 'exhausted') return this.end(leased, { kind: 'completed', message: 'the budget is spent' });
    if (plan.kind === 'pause') return this.pauses.set(leased, plan.reason);
    if (plan.kind === 'wait' || head.timestampMs < (this.nextQuoteMs.get(execution.id) ?? 0)) return leased;
    return this.buy(leased, plan);
  }

  private hopeless({ execution }: LeasedExecution): ExecutionEnding | undefined {
    if (execution.cancelled) return { kind: 'cancelled', message: 'an operator cancelled the job' };
    if (execution.consecutiveFailures >= this.configuration.MAKER_MOST_CONSECUTIVE_FAILURES) {
      return { kind: 'technical', message: `${execution.consecutiveFailures} orders in a row were reverted` };
    }
    const { paused } = execution;
    const timeoutMs = this.configuration.MAKER_LIQUIDITY_TIMEOUT_SECONDS * 1000;
    if (paused?.reason === 'thin_liquidity' && this.clock.now() - paused.since.getTime() >= timeoutMs) {
      return { kind: 'liquidity', message: 'no pool was deep enough for too long' };
    }
    return undefined;
  }

  /** Buys where it costs least; a pool that quotes and does not deliver is passed over for the next. */
  private async buy(leased: LeasedExecution, plan: PlannedOrders): Promise<LeasedExecution> {
    const { execution, head } = leased;
    for (const quote of await this.market.quotes(execution, plan.tradeWei, head)) {
      const reason = marketPause(quote, execution.startPriceTokens, this.configuration.MAKER_PRICE_BAND_BPS);
      if (reason) return this.wait(leased, reason);
      const { buy, minimumTokens } = this.offer(leased, plan, quote);
      const gas = await this.market.estimateGas(execution, quote, buy, head.number);
      if (gas === undefined) continue;
      // It needs more gas than it was sized for: sized anew at the next block, it may fit.
      const fees = orderFees(plan.tradeWei, withMargin(gas), gas);
      if (fees.maxFeePerGasWei < head.baseFeeWei) return this.wait(leased, 'order_cost');
      const resumed = await this.pauses.set(leased, undefined);
      return this.place(resumed, plan, { quote, minimumTokens, buy, fees, gasLimit: Number(withMargin(gas)) });
    }
    return this.wait(leased, 'thin_liquidity');
  }

  private offer({ execution, head }: LeasedExecution, plan: PlannedOrders, quote: PoolQuote) {
    const minimumTokens = minimumOut(quote.tokensOut, this.configuration.MAKER_SLIPPAGE_BPS);
    const buy = this.chain.market.buyTransaction({
      pool: quote.pool,
      amountInWei: plan.tradeWei,
      minimumTokensOut: minimumTokens,
      recipient: execution.walletAddress,
      deadlineSeconds: BigInt(Math.floor(head.timestampMs / 1000) + ORDER_LIFETIME_SECONDS),
    });
    return { buy, minimumTokens };
  }

  private async place(
    leased: LeasedExecution,
    plan: PlannedOrders,
    { quote, minimumTokens, buy, fees, gasLimit }: PricedOrder,
  ): Promise<LeasedExecution> {
    const { execution } = leased;
    const orders: Order[] = Array.from({ length: plan.count }, (_, index) => {
      const number = execution.ordersSigned + index + 1;
      return {
        id: `${execution.id}/order/${number}`,
        jobId: execution.id,
        number,
        exchange: quote.pool.exchangeId,
        tradeWei: plan.tradeWei,
        quotedTokens: quote.tokensOut,
        minimumTokens,
        placedAt: new Date(this.clock.now()),
      };
    });
    const after = await this.sender.send(
      leased,
      orders.map(({ id }) => ({
        id,
        purpose: 'order' as const,
        to: buy.to,
        valueWei: buy.value,
        data: buy.data,
        gasLimit,
        ...fees,
      })),
      {
        change: {
          ordersSigned: execution.ordersSigned + plan.count,
          nextOrderAtMs: plan.nextOrderAtMs,
          startPriceTokens: execution.startPriceTokens ?? priceTokens(quote),
        },
        write: (session) => this.orders.insert(orders, session),
      },
    );
    this.metrics.ordersSigned(plan.count);
    return after;
  }

  private async wait(leased: LeasedExecution, reason: PauseReason): Promise<LeasedExecution> {
    this.nextQuoteMs.set(leased.execution.id, leased.head.timestampMs + MARKET_RETRY_MS);
    return this.pauses.set(leased, reason);
  }

  private async end(leased: LeasedExecution, ending: ExecutionEnding): Promise<LeasedExecution> {
    this.market.forget(leased.execution.id);
    this.nextQuoteMs.delete(leased.execution.id);
    const resumed = await this.pauses.set(leased, undefined);
    return this.writer.write(resumed, { phase: 'delivery', ending });
  }
}
