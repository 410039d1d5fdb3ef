import { signReceipt } from '@maker/contracts';
import { type Execution, ExecutionRecords, type Inclusion } from '@maker/execution-records';
import { RequestClient, RequestFailedError, RequestFailure } from '@maker/messaging';
import { addOrder, canonicalText, contentHashOfPages, NO_ORDERS, type SignedOrder } from '@maker/receipt';
import { Clock, SingleFlight } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Hex } from 'viem';
import { RECEIPTS_CONFIGURATION, type ReceiptsConfiguration } from '../configuration.ts';
import { finalOrders, OrderPages } from '../order/order-pages.ts';
import { receiptDeposits } from './receipt-deposits.ts';
import { type HeadSources, receiptHead } from './receipt-head.ts';
import { recordedDeposits } from './recorded-deposits.ts';
import { SignedReceiptsRepository, type StoredReceipt } from './signed-receipts.repository.ts';

const PAGE = 500;

/** How long a receipt of an active job is reused, ms; maker-executor signs no new one earlier. */
const REUSED_MS = 5000;

interface FinalPage {
  readonly orders: readonly SignedOrder[];
  readonly newest: Inclusion | undefined;
}

/** Builds receipt files from final facts and requests maker-executor to sign them with the job's wallet. Source: design § 2.6. */
@Injectable()
export class SignedReceipts {
  private readonly making = new SingleFlight<StoredReceipt>();

  constructor(
    private readonly records: ExecutionRecords,
    private readonly stored: SignedReceiptsRepository,
    private readonly pages: OrderPages,
    private readonly requests: RequestClient,
    private readonly clock: Clock,
    @Inject(RECEIPTS_CONFIGURATION) private readonly configuration: ReceiptsConfiguration,
  ) {}

  /**
   * The current receipt; while the job runs, it may be some seconds old.
   * @returns null for a job without an execution, and for one that was refused or never ran
   * @throws RequestFailure if the job service or maker-executor does not answer
   */
  async of(jobId: string): Promise<StoredReceipt | null> {
    const progress = await this.records.executions.progress(jobId);
    if (!progress || progress.phase === 'refused' || progress.phase === 'never_ran') return null;
    const known = await this.stored.find(jobId);
    // A pause of all jobs changes no execution's revision.
    const isRecent = known !== undefined && this.clock.now() - known.madeAt.getTime() < REUSED_MS;
    if (known && (progress.endedAt === null ? isRecent : known.revision === progress.revision)) return known;
    try {
      return await this.making.run(jobId, () => this.make(jobId));
    } catch (error) {
      if (!(error instanceof RequestFailedError)) throw error;
      // Another replica may have stored a signed one meanwhile.
      const newer = error.code === 'NOT_POSSIBLE_NOW' ? await this.stored.find(jobId) : undefined;
      if (newer && newer.signature !== known?.signature) return newer;
      throw new RequestFailure('SERVICE_UNAVAILABLE', 'The receipt cannot be made now');
    }
  }

  private async make(jobId: string): Promise<StoredReceipt> {
    const execution = await this.records.executions.find(jobId);
    if (!execution) throw new Error(`${jobId} has no execution`);
    // Read before the orders: the receipt may lack newer transfers, but never has a transfer without the orders before it.
    const sources = await this.headSources(execution);
    let sums = NO_ORDERS;
    let orderCount = 0;
    let newestOrder: Inclusion | undefined;
    for await (const { orders, newest } of this.finalPages(execution)) {
      sums = orders.reduce(addOrder, sums);
      orderCount += orders.length;
      newestOrder = newest ?? newestOrder;
    }
    const head = receiptHead({ ...sources, orders: sums, newestOrder });
    const contentHash = await contentHashOfPages(head, ordersOf(this.finalPages(execution, orderCount)));
    const { chainId, wallet, state } = head;
    const { signature } = await this.requests.request(signReceipt, { jobId, chainId, wallet, state, contentHash });
    const { revision } = execution;
    const madeAt = new Date(this.clock.now());
    const text = canonicalText(head);
    const receipt = { id: jobId, revision, madeAt, head: text, orderCount, signature: signature as Hex };
    await this.stored.save(receipt);
    return receipt;
  }

  private async headSources(execution: Execution): Promise<Omit<HeadSources, 'orders' | 'newestOrder'>> {
    const { id: jobId } = execution;
    const [transfers, open, refunds, pauses, deposits] = await Promise.all([
      this.records.transactions.ofPurposes(jobId, ['fee', 'delivery', 'refund', 'return']),
      this.records.transactions.open(jobId),
      this.records.refunds.ofJob(jobId),
      this.records.pauses.ofJob(execution),
      recordedDeposits(this.requests, jobId),
    ]);
    return {
      execution,
      chainId: this.configuration.CHAIN_ID,
      transfers: transfers.filter(({ state }) => state === 'final'),
      isUnfinished: open.length > 0 || refunds.some(({ state }) => state === 'due' || state === 'released'),
      deposits: receiptDeposits(execution, deposits, refunds),
      pauses,
    };
  }

  /** Pages of final orders. @param most maximum number of orders */
  private async *finalPages(execution: Execution, most = Number.POSITIVE_INFINITY): AsyncGenerator<FinalPage> {
    let after = 0;
    while (after < most) {
      const limit = Math.min(PAGE, most - after);
      const final = finalOrders(await this.pages.after(execution.id, execution, after, limit));
      yield { orders: final.map(({ signed }) => signed), newest: final.at(-1)?.inclusion };
      if (final.length < limit) return;
      after += final.length;
    }
  }
}

async function* ordersOf(pages: AsyncIterable<FinalPage>): AsyncGenerator<readonly SignedOrder[]> {
  for await (const { orders } of pages) yield orders;
}
