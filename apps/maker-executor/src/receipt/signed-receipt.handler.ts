import { getSignedReceipt, listSignedOrders } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { canonicalText } from '@maker/receipt';
import { Controller } from '@nestjs/common';
import { SignedReceipts } from './signed-receipts.ts';

/** Answers for the signed receipt file of a job, as the very text that was signed. Source: design § 2.6. */
@Controller()
export class SignedReceiptHandler {
  constructor(private readonly receipts: SignedReceipts) {}

  @HandleRequest(getSignedReceipt)
  async receipt({ jobId }: { jobId: string }) {
    const signed = await this.receipts.of(jobId);
    return { receipt: signed && { ...signed, head: canonicalText(signed.head) } };
  }

  @HandleRequest(listSignedOrders)
  async list({ jobId, after, limit }: { jobId: string; after: number; limit: number }) {
    return { orders: (await this.receipts.list(jobId, after, limit)).map(canonicalText) };
  }
}
