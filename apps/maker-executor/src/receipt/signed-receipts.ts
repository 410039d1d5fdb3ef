import { CreditedDeposits, type Execution, type Inclusion } from '@maker/execution-records';
import { RequestClient } from '@maker/messaging';
import { addOrder, canonicalText, contentHashOfPages, NO_ORDERS, type SignedOrder } from '@maker/receipt';
import { SingleFlight } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { TickSources } from '../runner/tick-sources.ts';
import { JobWalletSigner } from '../wallet/job-wallet-signer.ts';
import { receiptDeposits } from './receipt-deposits.ts';
import { type HeadSources, receiptHead } from './receipt-head.ts';
import { signedOrder } from './signed-order.ts';
import { type SignedHead, SignedReceiptsRepository } from './signed-receipts.repository.ts';

const PAGE = 500;

/** A receipt of an active job is reused for this long, ms. */
const REUSED_MS = 5000;

interface OrderPage {
  readonly orders: readonly SignedOrder[];
  readonly newest: Inclusion | undefined;
}

/** Makes receipt files of what is final, and has the job's own wallet sign them. Source: design § 2.6. */
@Injectable()
export class SignedReceipts {
  private readonly stored: SignedReceiptsRepository;
  private readonly making = new SingleFlight<SignedHead>();
  private readonly credited: CreditedDeposits;

  constructor(
    private readonly sources: TickSources,
    private readonly signer: JobWalletSigner,
    requests: RequestClient,
  ) {
    this.stored = new SignedReceiptsRepository(sources.database.connection);
    this.credited = new CreditedDeposits(requests);
  }

  /**
   * The receipt as it stands, or stood a few seconds ago while the job goes on: to make it, all orders are read twice.
   * @returns null where no money of the job was ever worked on
   * @throws RequestFailedError where payment-watcher does not answer what came
   */
  async of(jobId: string): Promise<SignedHead | null> {
    const execution = await this.sources.database.executions.find(jobId);
    if (!execution || execution.phase === 'refused' || execution.phase === 'never_ran') return null;
    const known = await this.stored.find(jobId);
    // What pauses all jobs changes no execution.
    const isRecent = known !== undefined && this.sources.feed.now() - known.madeAt.getTime() < REUSED_MS;
    if (known && (execution.endedAt === null ? isRecent : known.revision === execution.revision)) return known;
    return this.making.run(jobId, () => this.make(execution));
  }

  private async make(execution: Execution): Promise<SignedHead> {
    const { id: jobId } = execution;
    // Before the orders: all that the wallet sends after them is then left out together with those that came meanwhile.
    const besideOrders = await this.besideOrders(execution);
    let sums = NO_ORDERS;
    let orderCount = 0;
    let newestOrder: Inclusion | undefined;
    for await (const { orders, newest } of this.pages(jobId)) {
      sums = orders.reduce(addOrder, sums);
      orderCount += orders.length;
      newestOrder = newest;
    }
    const head = receiptHead({ ...besideOrders, orders: sums, newestOrder });
    const contentHash = await contentHashOfPages(head, ordersOf(this.pages(jobId, orderCount)));
    const signature = await this.signer.signReceipt(execution, head, contentHash);
    const signed = { head: canonicalText(head), orderCount, signature };
    const { revision } = execution;
    await this.stored.save({ id: jobId, revision, madeAt: new Date(this.sources.feed.now()), ...signed });
    return signed;
  }

  /** Final orders after a number, as they were signed. */
  async list(jobId: string, after: number, limit: number): Promise<readonly SignedOrder[]> {
    return (await this.page(jobId, after, limit)).orders;
  }

  private async besideOrders(execution: Execution): Promise<Omit<HeadSources, 'orders' | 'newestOrder'>> {
    const { id: jobId } = execution;
    const [transfers, open, refunds, pauses, deposits] = await Promise.all([
      this.sources.database.transactions.ofPurposes(jobId, ['fee', 'delivery', 'refund', 'return']),
      this.sources.database.transactions.open(jobId),
      this.sources.database.refunds.ofJob(jobId),
      this.sources.database.pauses.ofJob(execution),
      this.credited.all(jobId),
    ]);
    return {
      execution,
      chainId: this.signer.chainId,
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
    const orders = await this.sources.database.orders.list(jobId, after, limit);
    const transactions = await this.sources.database.transactions.byIds(orders.map(({ id }) => id));
    const final: SignedOrder[] = [];
    let newest: Inclusion | undefined;
    for (const order of orders) {
      const transaction = transactions.get(order.id);
      if (transaction?.state !== 'final' || !transaction.inclusion) break;
      newest = transaction.inclusion;
      final.push(signedOrder(order, transaction));
    }
    return { orders: final, newest };
  }
}

async function* ordersOf(pages: AsyncIterable<OrderPage>): AsyncGenerator<readonly SignedOrder[]> {
  for await (const { orders } of pages) yield orders;
}
