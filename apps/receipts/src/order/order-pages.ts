import type { ReceiptOrder } from '@maker/contracts';
import { type ExecutionProgress, ExecutionRecords, type Inclusion } from '@maker/execution-records';
import { canonicalText, type SignedOrder } from '@maker/receipt';
import { SingleFlight, SteadyClock } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { toReceiptOrder } from './receipt-order.ts';
import { signedOrder } from './signed-order.ts';

/** Orders per page; the first page begins with order 1. */
const PAGE = 100;

/** Orders in memory, about 2.5 KB each. */
const MOST_ORDERS_CACHED = 20_000;

/** A node's answer to a broadcast changes an order without a new revision of its execution, ms. */
const ACTIVE_KEPT_MS = 1000;

/** Only a reorganisation deeper than the confirmations changes a page of final orders, ms. */
const FINAL_KEPT_MS = 10_000;

/** An order as the status page shows it and, if its transaction is final, as the job's wallet signs it. */
export interface MadeOrder {
  readonly number: number;
  readonly shown: ReceiptOrder;
  readonly final?: {
    readonly signed: SignedOrder;
    /** `signed` in canonical JSON. */
    readonly text: string;
    readonly inclusion: Inclusion;
  };
}

type FinalOrder = NonNullable<MadeOrder['final']>;

interface OrderPage {
  readonly orders: readonly MadeOrder[];
  /** Revision of the execution. */
  readonly revision: number;
  readonly madeAtMs: number;
  /** Whether the page is full and each of its orders is final. */
  readonly isFinal: boolean;
}

/** Read-through cache of orders, page by page. All readers of a job share it. */
@Injectable()
export class OrderPages {
  private readonly pages = new LRUCache<string, OrderPage>({
    maxSize: MOST_ORDERS_CACHED,
    sizeCalculation: ({ orders }) => orders.length + 1,
  });
  private readonly reading = new SingleFlight<OrderPage>();

  constructor(
    private readonly records: ExecutionRecords,
    private readonly clock: SteadyClock,
  ) {}

  /** Orders of a job after a number, ascending. @param progress current progress of its execution */
  async after(jobId: string, progress: ExecutionProgress, after: number, limit: number): Promise<readonly MadeOrder[]> {
    const found: MadeOrder[] = [];
    let page = Math.floor(after / PAGE);
    for (; found.length < limit && page * PAGE < progress.ordersSigned; page += 1) {
      const { orders } = await this.page(jobId, page, progress);
      found.push(...orders.filter(({ number }) => number > after));
    }
    return found.slice(0, limit);
  }

  private async page(jobId: string, page: number, progress: ExecutionProgress): Promise<OrderPage> {
    const key = `${jobId}/${page}`;
    const known = this.pages.get(key);
    if (known && this.holds(known, progress)) return known;
    return this.reading.run(`${key}/${progress.revision}`, async () => {
      const read = await this.read(jobId, page, progress.revision);
      this.pages.set(key, read);
      return read;
    });
  }

  private holds({ revision, madeAtMs, isFinal }: OrderPage, progress: ExecutionProgress): boolean {
    const ageMs = this.clock.now() - madeAtMs;
    if (isFinal && ageMs < FINAL_KEPT_MS) return true;
    return revision === progress.revision && (progress.endedAt !== null || ageMs < ACTIVE_KEPT_MS);
  }

  private async read(jobId: string, page: number, revision: number): Promise<OrderPage> {
    const madeAtMs = this.clock.now();
    const rows = await this.records.orders.list(jobId, page * PAGE, PAGE);
    const transactions = await this.records.transactions.byIds(rows.map(({ id }) => id));
    const orders = rows.flatMap((order): MadeOrder[] => {
      const transaction = transactions.get(order.id);
      if (!transaction || order.number > (page + 1) * PAGE) return [];
      const { number } = order;
      const shown = toReceiptOrder(order, transaction);
      const { state, inclusion } = transaction;
      if (state !== 'final' || !inclusion) return [{ number, shown }];
      const signed = signedOrder(order, transaction);
      return [{ number, shown, final: { signed, text: canonicalText(signed), inclusion } }];
    });
    const isFinal = orders.length === PAGE && orders.every(({ final }) => final);
    return { orders, revision, madeAtMs, isFinal };
  }
}

/** The final orders among these. Orders become final in sequence, so the final ones come first. */
export function finalOrders(orders: readonly MadeOrder[]): readonly FinalOrder[] {
  const firstOpen = orders.findIndex(({ final }) => final === undefined);
  const settled = firstOpen === -1 ? orders : orders.slice(0, firstOpen);
  return settled.flatMap(({ final }) => final ?? []);
}
