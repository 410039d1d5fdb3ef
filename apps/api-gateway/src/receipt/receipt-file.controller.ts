import { Readable } from 'node:stream';
import { getSignedReceipt, listSignedOrders } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { Controller, Get, Inject, StreamableFile } from '@nestjs/common';
import type { z } from 'zod';
import { GATEWAY_CONFIGURATION, type GatewayConfiguration } from '../configuration.ts';
import { ApiError } from '../errors/api-error.ts';
import { JobIdParam } from '../requests/validation.ts';
import { StatusSnapshot } from '../status-snapshot/status-snapshot.ts';

/** Orders of one request: what a message carries. */
const PAGE = 500;

type SignedReceipt = NonNullable<z.output<typeof getSignedReceipt.reply>['receipt']>;

/**
 * `GET /jobs/{jobId}/receipt.json`: the file that the job's wallet signed, streamed as the text that it signed.
 * Source: design § 2.6, docs/receipt.md.
 */
@Controller('jobs/:jobId')
export class ReceiptFileController {
  constructor(
    private readonly requests: RequestClient,
    private readonly snapshot: StatusSnapshot,
    @Inject(GATEWAY_CONFIGURATION) private readonly configuration: GatewayConfiguration,
  ) {}

  @Get('receipt.json')
  async download(@JobIdParam() jobId: string): Promise<StreamableFile> {
    await this.snapshot.payment(jobId);
    const { receipt } = await this.requests.request(getSignedReceipt, { jobId }, this.configuration.REQUEST_TIMEOUT_MS);
    if (!receipt) throw new ApiError('NOT_POSSIBLE_NOW', 'There is no receipt before a job is paid');
    return new StreamableFile(Readable.from(this.pieces(jobId, receipt)), {
      type: 'application/json; charset=utf-8',
      disposition: `attachment; filename="${jobId}.json"`,
    });
  }

  private async *pieces(jobId: string, { head, orderCount, signature }: SignedReceipt): AsyncGenerator<string> {
    yield `{"receipt":${head.slice(0, -1)},"orders":[`;
    let after = 0;
    while (after < orderCount) {
      const limit = Math.min(PAGE, orderCount - after);
      const { orders } = await this.requests.request(
        listSignedOrders,
        { jobId, after, limit },
        this.configuration.REQUEST_TIMEOUT_MS,
      );
      if (orders.length === 0) throw new Error(`The receipt of ${jobId} has fewer orders than were signed`);
      yield `${after === 0 ? '' : ','}${orders.join(',')}`;
      after += orders.length;
    }
    yield `]},"signature":"${signature}"}`;
  }
}
