import {
  getReceipt,
  getSignedReceipt,
  listOrders,
  listSignedOrders,
  MOST_RECEIPT_PAUSES,
  MOST_RECEIPT_TRANSFERS,
} from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { canonicalText } from '@maker/receipt';
import { Controller } from '@nestjs/common';
import { MakerDatabase } from '../database.ts';
import { buildReceipt, toReceiptOrder } from './build-receipt.ts';
import { SignedReceipts } from './signed-receipts.ts';
import { textPart } from './text-part.ts';

/** Answers for the public receipt of a job. Source: design § 2.6. */
@Controller()
export class ReceiptHandler {
  constructor(
    private readonly database: MakerDatabase,
    private readonly receipts: SignedReceipts,
  ) {}

  @HandleRequest(getReceipt)
  async receipt({ jobId }: { jobId: string }) {
    const { executions, transactions, pauses: log, facts } = this.database;
    const execution = await executions.find(jobId);
    if (!execution) return { receipt: null };
    const [fee, others, pauses, byOperator] = await Promise.all([
      transactions.ofPurposes(jobId, ['fee']),
      transactions.newest(jobId, ['delivery', 'refund', 'return'], MOST_RECEIPT_TRANSFERS - 1),
      log.newest(execution, MOST_RECEIPT_PAUSES),
      facts.pauseOf(jobId),
    ]);
    return {
      receipt: buildReceipt(execution, {
        transfers: [...fee, ...others.transactions],
        transfersInAll: fee.length + others.inAll,
        ...pauses,
        byOperator,
      }),
    };
  }

  @HandleRequest(listOrders)
  async list({ jobId, after, limit }: { jobId: string; after: number; limit: number }) {
    const orders = await this.database.orders.list(jobId, after, limit);
    const transactions = await this.database.transactions.byIds(orders.map(({ id }) => id));
    return {
      orders: orders.flatMap((order) => {
        const transaction = transactions.get(order.id);
        return transaction ? toReceiptOrder(order, transaction) : [];
      }),
    };
  }

  /** The signed receipt file, as the very text that was signed. */
  @HandleRequest(getSignedReceipt)
  async signedReceipt({ jobId, from }: { jobId: string; from: number }) {
    const signed = await this.receipts.of(jobId);
    if (!signed) return { receipt: null };
    const { head, orderCount, signature } = signed;
    return { receipt: { headPart: textPart(head, from), headLength: head.length, orderCount, signature } };
  }

  @HandleRequest(listSignedOrders)
  async signedOrders({ jobId, after, limit }: { jobId: string; after: number; limit: number }) {
    return { orders: (await this.receipts.list(jobId, after, limit)).map(canonicalText) };
  }
}
