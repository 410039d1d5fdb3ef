import { Readable } from 'node:stream';
import { getReceipt, type JobPaymentResponse, type Receipt } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { Controller, StreamableFile } from '@nestjs/common';
import { Serves } from '../requests/serves.ts';
import { JobIdParam } from '../requests/validation.ts';
import { StatusSnapshot } from '../status-snapshot/status-snapshot.ts';
import { JobOrdersReader } from './job-orders.reader.ts';
import {
  depositLine,
  heldLine,
  orderLine,
  pauseLine,
  qualityLines,
  RECEIPT_CSV_HEADER,
  transferLine,
} from './receipt-csv.ts';

/** `GET /jobs/{jobId}/receipt.csv`: every transfer and order of a job, streamed. Source: design § 2.6. */
@Controller()
export class ReceiptCsvController {
  constructor(
    private readonly requests: RequestClient,
    private readonly orders: JobOrdersReader,
    private readonly snapshot: StatusSnapshot,
  ) {}

  @Serves('downloadReceipt')
  async download(@JobIdParam() jobId: string): Promise<StreamableFile> {
    const { depositTransactions = [] } = JSON.parse(await this.snapshot.payment(jobId)) as JobPaymentResponse;
    const { receipt } = await this.requests.request(getReceipt, { jobId });
    const deposits = depositTransactions.map(depositLine);
    return new StreamableFile(Readable.from(this.lines(jobId, deposits, receipt)), {
      type: 'text/csv; charset=utf-8',
      disposition: `attachment; filename="${jobId}.csv"`,
    });
  }

  private async *lines(jobId: string, deposits: readonly string[], receipt: Receipt | null): AsyncGenerator<string> {
    yield RECEIPT_CSV_HEADER;
    yield* deposits;
    if (!receipt) return;
    const { decimals } = receipt.token;
    yield* receipt.transfers.map((transfer) => transferLine(transfer, decimals));
    yield heldLine(receipt, decimals);
    yield* (receipt.pauses ?? []).map(pauseLine);
    if (receipt.quality) yield* qualityLines(receipt.quality, decimals);
    for await (const page of this.orders.pages(jobId)) yield page.map((order) => orderLine(order, decimals)).join('');
  }
}
