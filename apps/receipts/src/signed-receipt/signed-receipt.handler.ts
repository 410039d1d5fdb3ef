import { getSignedReceipt } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import { SignedReceipts } from './signed-receipts.ts';
import { textPart } from './text-part.ts';

/** Answers requests for a job's signed receipt file, with the exact text that was signed. Source: design § 2.6. */
@Controller()
export class SignedReceiptHandler {
  constructor(private readonly receipts: SignedReceipts) {}

  @HandleRequest(getSignedReceipt)
  async signedReceipt({ jobId, from }: { jobId: string; from: number }) {
    const signed = await this.receipts.of(jobId);
    if (!signed) return { receipt: null };
    const { head, orderCount, signature } = signed;
    return { receipt: { headPart: textPart(head, from), headLength: head.length, orderCount, signature } };
  }
}
