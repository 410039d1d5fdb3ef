import { Readable } from 'node:stream';
import { getSignedReceipt, listSignedOrders } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { Controller, StreamableFile } from '@nestjs/common';
import type { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { Serves } from '../requests/serves.ts';
import { JobIdParam } from '../requests/validation.ts';
import { StatusSnapshot } from '../status-snapshot/status-snapshot.ts';

/** Orders of one request: what a message carries. */
const PAGE = 500;

type SignedReceipt = NonNullable<z.output<typeof getSignedReceipt.reply>['receipt']>;

/**
 * `GET /jobs/{jobId}/receipt.json`: the file that the job's wallet signed, streamed as the text that it signed.
 * Source: design § 2.6, docs/receipt.md.
 */
@Controller()
export class ReceiptFileController {
  constructor(
    private readonly requests: RequestClient,
    private readonly snapshot: StatusSnapshot,
  ) {}

  @Serves('downloadSignedReceipt')
  async download(@JobIdParam() jobId: string): Promise<StreamableFile> {
    await this.snapshot.payment(jobId);
    const receipt = await this.part(jobId, 0);
    if (!receipt) throw new ApiError('NOT_POSSIBLE_NOW', 'There is no receipt before a job is paid');
    return new StreamableFile(Readable.from(this.pieces(jobId, receipt)), {
      type: 'application/json; charset=utf-8',
      disposition: `attachment; filename="${jobId}.json"`,
    });
  }

  private async part(jobId: string, from: number): Promise<SignedReceipt | null> {
    return (await this.requests.request(getSignedReceipt, { jobId, from })).receipt;
  }

  private async *pieces(jobId: string, first: SignedReceipt): AsyncGenerator<string> {
    const { headLength, orderCount, signature } = first;
    yield '{"receipt":';
    let part = first;
    let told = part.headPart.length;
    while (told < headLength) {
      yield part.headPart;
      const next = await this.part(jobId, told);
      if (next?.signature !== signature) throw new Error(`The receipt of ${jobId} was signed anew while it was read`);
      part = next;
      told += part.headPart.length;
    }
    // The orders stand before its last brace.
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
