import {
  getReceipt,
  getSignedReceipt,
  type JobOrdersQuery,
  type JobOrdersResponse,
  type JobPaymentResponse,
  listOrders,
  listSignedOrders,
  type Receipt,
} from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { Controller, type StreamableFile } from '@nestjs/common';
import type { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { download } from '../requests/download.ts';
import { QueryOf, Serves } from '../requests/serves.ts';
import { JobIdParam } from '../requests/validation.ts';
import { StatusSnapshot } from '../status-snapshot/status-snapshot.ts';
import {
  depositLine,
  heldLine,
  orderLine,
  pauseLine,
  qualityLines,
  RECEIPT_CSV_HEADER,
  transferLine,
} from './receipt-csv.ts';

/** Most orders of one request: as many as a message carries, so that memory holds no more. */
const PAGE = 500;

type SignedReceipt = NonNullable<z.output<typeof getSignedReceipt.reply>['receipt']>;

/** A job's orders, and its receipt as files. Source: design § 2.6, docs/receipt.md. */
@Controller()
export class ReceiptController {
  constructor(
    private readonly requests: RequestClient,
    private readonly snapshot: StatusSnapshot,
  ) {}

  /** Orders after a number. Reads the payment first, because receipts does not distinguish an unknown job from an unpaid one. @throws RequestFailedError `JOB_NOT_FOUND` */
  @Serves('listJobOrders')
  async orders(
    @JobIdParam() jobId: string,
    @QueryOf('listJobOrders') query: JobOrdersQuery,
  ): Promise<JobOrdersResponse> {
    await this.snapshot.payment(jobId);
    return this.requests.request(listOrders, { jobId, ...query });
  }

  /** Every transfer and order of a job. */
  @Serves('downloadReceipt')
  async csv(@JobIdParam() jobId: string): Promise<StreamableFile> {
    const payment = JSON.parse(await this.snapshot.payment(jobId)) as JobPaymentResponse;
    const { receipt } = await this.requests.request(getReceipt, { jobId });
    return download(`${jobId}.csv`, this.lines(payment, receipt));
  }

  /** The receipt file with the text that the job's wallet signed. */
  @Serves('downloadSignedReceipt')
  async signed(@JobIdParam() jobId: string): Promise<StreamableFile> {
    await this.snapshot.payment(jobId);
    const receipt = await this.part(jobId, 0);
    if (!receipt) throw new ApiError('NOT_POSSIBLE_NOW', 'There is no receipt before a job is paid');
    return download(`${jobId}.json`, this.pieces(jobId, receipt));
  }

  private async *lines(payment: JobPaymentResponse, receipt: Receipt | null): AsyncGenerator<string> {
    const { jobId, paymentAddress: wallet, depositTransactions = [] } = payment;
    yield RECEIPT_CSV_HEADER;
    yield* depositTransactions.map((deposit) => depositLine(deposit, wallet));
    if (!receipt) return;
    const { token } = receipt;
    const { decimals } = token;
    yield* receipt.transfers.map((transfer) => transferLine(transfer, token, wallet));
    yield heldLine(receipt, decimals);
    yield* (receipt.pauses ?? []).map(pauseLine);
    if (receipt.quality) yield* qualityLines(receipt.quality, decimals);
    for (let after: number | undefined = 0; after !== undefined; ) {
      const { orders } = await this.orders(jobId, { after, limit: PAGE });
      yield orders.map((order) => orderLine(order, decimals, wallet)).join('');
      after = orders.length < PAGE ? undefined : orders.at(-1)?.number;
    }
  }

  private async part(jobId: string, from: number): Promise<SignedReceipt | null> {
    return (await this.requests.request(getSignedReceipt, { jobId, from })).receipt;
  }

  private async *pieces(jobId: string, first: SignedReceipt): AsyncGenerator<string> {
    const { headLength, orderCount, signature } = first;
    yield '{"receipt":';
    let part = first;
    let received = part.headPart.length;
    while (received < headLength) {
      yield part.headPart;
      const next = await this.part(jobId, received);
      if (next?.signature !== signature) throw new Error(`The receipt of ${jobId} was signed again while it was read`);
      part = next;
      received += part.headPart.length;
    }
    // The orders belong before its last brace.
    yield part.headPart.slice(0, -1);
    yield ',"orders":[';
    let after = 0;
    while (after < orderCount) {
      const limit = Math.min(PAGE, orderCount - after);
      const { orders } = await this.requests.request(listSignedOrders, { jobId, after, limit });
      if (orders.length === 0) throw new Error(`The receipt of ${jobId} has fewer orders than were signed`);
      yield `${after === 0 ? '' : ','}${orders.join(',')}`;
      after += orders.length;
    }
    yield `]},"signature":"${signature}"}`;
  }
}
