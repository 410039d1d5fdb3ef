import { addOrder, canonicalText, contentHashOfPages, NO_ORDERS, type SignedOrder } from '@maker/receipt';
import { Clock } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Hex } from 'viem';
import { ChainAccess } from '../chain/chain-access.ts';
import type { Execution } from '../execution/execution.ts';
import { ExecutionsRepository } from '../execution/executions.repository.ts';
import { OrdersRepository } from '../order/orders.repository.ts';
import { PausesRepository } from '../pause/pauses.repository.ts';
import { CreditedDeposits } from '../refund/credited-deposits.ts';
import { RefundsRepository } from '../refund/refunds.repository.ts';
import type { PolicyLimits } from '../send/policy.ts';
import { ReceiptSigner } from '../send/receipt-signer.ts';
import { POLICY_LIMITS } from '../send/transaction-sender.ts';
import type { Inclusion } from '../transaction/transaction.ts';
import { TransactionsRepository } from '../transaction/transactions.repository.ts';
import { receiptDeposits } from './receipt-deposits.ts';
import { type HeadSources, receiptHead } from './receipt-head.ts';
import { signedOrder } from './signed-order.ts';

const PAGE = 500;

/** A receipt of a job that goes on is given again for this long, ms. */
const REUSED_MS = 5000;

/** Receipts that are kept in memory, without their orders. */
const MOST_KEPT = 500;

/** A job's receipt, signed; its orders are asked for by pages. */
export interface SignedHead {
  /** Canonical JSON of a `ReceiptHead`. */
  readonly head: string;
  readonly orderCount: number;
  readonly signature: Hex;
}

interface Made {
  readonly revision: number;
  readonly atMs: number;
  readonly signed: Promise<SignedHead>;
}

interface OrderPage {
  readonly orders: readonly SignedOrder[];
  readonly newest: Inclusion | undefined;
  /** Where these orders went, by exchange. */
  readonly venues: readonly Venue[];
}

type Venue = HeadSources['venues'][number];

/** Makes receipt files of what is final, and has the job's own wallet sign them. Source: design § 2.6. */
@Injectable()
export class SignedReceipts {
  private readonly made = new Map<string, Made>();

  constructor(
    private readonly executions: ExecutionsRepository,
    private readonly orders: OrdersRepository,
    private readonly transactions: TransactionsRepository,
    private readonly refunds: RefundsRepository,
    private readonly pauses: PausesRepository,
    private readonly credited: CreditedDeposits,
    private readonly chain: ChainAccess,
    private readonly signer: ReceiptSigner,
    private readonly clock: Clock,
    @Inject(POLICY_LIMITS) private readonly limits: PolicyLimits,
  ) {}

  /**
   * The receipt as it stands, or stood a few seconds ago while the job goes on: to make it, all orders are read twice.
   * @returns null where no money of the job was ever worked on
   * @throws RequestFailedError where payment-watcher does not answer what came
   */
  async of(jobId: string): Promise<SignedHead | null> {
    const execution = await this.executions.find(jobId);
    if (!execution || execution.phase === 'refused' || execution.phase === 'never_ran') return null;
    const known = this.made.get(jobId);
    const now = this.clock.now();
    // What pauses all jobs changes no execution.
    const holds = execution.endedAt === null ? isRecent(known, now) : known?.revision === execution.revision;
    if (known && holds) return known.signed;
    const signed = this.make(execution);
    this.made.delete(jobId);
    this.made.set(jobId, { revision: execution.revision, atMs: now, signed });
    // Who waits for it hears of the failure; the next one begins anew.
    signed.catch(() => this.made.delete(jobId));
    const [oldest] = this.made.keys();
    if (this.made.size > MOST_KEPT && oldest !== undefined) this.made.delete(oldest);
    return signed;
  }

  private async make(execution: Execution): Promise<SignedHead> {
    const { id: jobId } = execution;
    // Before the orders: all that the wallet sends after them is then left out together with those that came meanwhile.
    const besideOrders = await this.besideOrders(execution);
    let sums = NO_ORDERS;
    let orderCount = 0;
    let newestOrder: Inclusion | undefined;
    // Those that orders went to as well: an exchange may have been set aside since.
    const venues = new Map(
      this.chain.market.exchanges.map(({ id, router }) => [venueKey({ id, router }), { id, router }]),
    );
    for await (const { orders, newest, venues: used } of this.pages(jobId)) {
      for (const venue of used) venues.set(venueKey(venue), venue);
      sums = orders.reduce(addOrder, sums);
      orderCount += orders.length;
      newestOrder = newest;
    }
    const head = receiptHead({ ...besideOrders, orders: sums, newestOrder, venues: [...venues.values()] });
    const contentHash = await contentHashOfPages(head, ordersOf(this.pages(jobId, orderCount)));
    const signature = await this.signer.sign(execution, head, contentHash);
    return { head: canonicalText(head), orderCount, signature };
  }

  /** Final orders after a number, as they were signed. */
  async list(jobId: string, after: number, limit: number): Promise<readonly SignedOrder[]> {
    return (await this.page(jobId, after, limit)).orders;
  }

  private async besideOrders(execution: Execution): Promise<Omit<HeadSources, 'orders' | 'newestOrder' | 'venues'>> {
    const { id: jobId } = execution;
    const [transfers, open, refunds, pauses, deposits] = await Promise.all([
      this.transactions.ofPurposes(jobId, ['fee', 'delivery', 'return']),
      this.transactions.open(jobId),
      this.refunds.ofJob(jobId),
      this.pauses.ofJob(execution),
      this.credited.all(jobId),
    ]);
    return {
      execution,
      chainId: this.limits.chainId,
      treasury: this.limits.treasury,
      transfers: transfers.filter(({ state }) => state === 'final'),
      goesOn: open.length > 0 || refunds.some(({ state }) => state === 'due' || state === 'released'),
      deposits: receiptDeposits(execution, deposits, refunds),
      pauses,
    };
  }

  /** Pages of final orders. @param most so many orders and no more */
  private async *pages(jobId: string, most = Number.POSITIVE_INFINITY): AsyncGenerator<OrderPage> {
    let after = 0;
    while (after < most) {
      const limit = Math.min(PAGE, most - after);
      const page = await this.page(jobId, after, limit);
      yield page;
      if (page.orders.length < limit) return;
      after += page.orders.length;
    }
  }

  /** Orders become final in their order, so that the final ones are the first ones. */
  private async page(jobId: string, after: number, limit: number): Promise<OrderPage> {
    const orders = await this.orders.list(jobId, after, limit);
    const transactions = await this.transactions.byIds(orders.map(({ id }) => id));
    const final: SignedOrder[] = [];
    const venues: Venue[] = [];
    let newest: Inclusion | undefined;
    for (const order of orders) {
      const transaction = transactions.get(order.id);
      if (transaction?.state !== 'final' || !transaction.inclusion) break;
      newest = transaction.inclusion;
      final.push(signedOrder(order, transaction));
      venues.push({ id: order.exchange, router: transaction.to });
    }
    return { orders: final, newest, venues };
  }
}

function isRecent(made: Made | undefined, nowMs: number): boolean {
  return made !== undefined && nowMs - made.atMs < REUSED_MS;
}

async function* ordersOf(pages: AsyncIterable<OrderPage>): AsyncGenerator<readonly SignedOrder[]> {
  for await (const { orders } of pages) yield orders;
}

function venueKey({ id, router }: Venue): string {
  return `${id} ${router.toLowerCase()}`;
}
