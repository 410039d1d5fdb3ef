import { getReceipt, listOrders, MOST_RECEIPT_PAUSES, MOST_RECEIPT_TRANSFERS } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import { ExecutionsRepository } from '../execution/executions.repository.ts';
import { OrdersRepository } from '../order/orders.repository.ts';
import { OperatorPauses } from '../pause/operator-pauses.ts';
import { PausesRepository } from '../pause/pauses.repository.ts';
import { TransactionsRepository } from '../transaction/transactions.repository.ts';
import { buildReceipt, toReceiptOrder } from './build-receipt.ts';

/** Answers for the public receipt of a job. Source: design § 2.6. */
@Controller()
export class ReceiptHandler {
  constructor(
    private readonly executions: ExecutionsRepository,
    private readonly orders: OrdersRepository,
    private readonly transactions: TransactionsRepository,
    private readonly operators: OperatorPauses,
    private readonly pauses: PausesRepository,
  ) {}

  @HandleRequest(getReceipt)
  async receipt({ jobId }: { jobId: string }) {
    const execution = await this.executions.find(jobId);
    if (!execution) return { receipt: null };
    const [fee, others, pauses, byOperator] = await Promise.all([
      this.transactions.ofPurposes(jobId, ['fee']),
      this.transactions.newest(jobId, ['delivery', 'return'], MOST_RECEIPT_TRANSFERS - 1),
      this.pauses.newest(execution, MOST_RECEIPT_PAUSES),
      this.operators.of(execution),
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
    const orders = await this.orders.list(jobId, after, limit);
    const transactions = await this.transactions.byIds(orders.map(({ id }) => id));
    return {
      orders: orders.flatMap((order) => {
        const transaction = transactions.get(order.id);
        return transaction ? toReceiptOrder(order, transaction) : [];
      }),
    };
  }
}
