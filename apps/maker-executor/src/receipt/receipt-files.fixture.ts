import { getSignedReceipt, listSignedOrders } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import {
  addOrder,
  contentHashOf,
  NO_ORDERS,
  openReceipt,
  type ReceiptFile,
  readFacts,
  receiptTypedData,
  type SignedReceipt,
  sumsOf,
  unreadable,
  type Verdict,
  verifyReceipt,
} from '@maker/receipt';
import type { Hash } from 'viem';
import type { MakerStage, PaidJob } from '../maker-stage.fixture.ts';

/** Returns a job's receipt file as the gateway composes it. */
export async function fileOf(stage: MakerStage, { jobId }: PaidJob): Promise<ReceiptFile> {
  const requests = stage.jobs.app.get(RequestClient);
  const { receipt } = await requests.request(getSignedReceipt, { jobId });
  if (!receipt) throw new Error('nothing is signed');
  const { orders } = await requests.request(listSignedOrders, { jobId, limit: 500 });
  const head = JSON.parse(receipt.headPart) as SignedReceipt;
  const signedOrders = orders
    .slice(0, receipt.orderCount)
    .map((order) => JSON.parse(order) as SignedReceipt['orders'][number]);
  return { receipt: { ...head, orders: signedOrders }, signature: receipt.signature as Hash };
}

/** Returns the verifier's verdict about a file, by the stage's chain and its exchanges. */
export async function judge({ client, chain }: MakerStage, file: ReceiptFile): Promise<Verdict> {
  const opened = await openReceipt(JSON.parse(JSON.stringify(file)));
  if ('broken' in opened) return unreadable(opened.broken);
  const facts = await readFacts(client, opened.file.receipt, undefined, chain.exchanges);
  return verifyReceipt(opened.file, facts);
}

/** Returns a receipt signed by a dishonest service: with the job's own key, and with matching sums. */
export async function vouchedFor(stage: MakerStage, job: PaidJob, receipt: SignedReceipt): Promise<ReceiptFile> {
  const fitting = { ...receipt, sums: sumsOf(receipt, receipt.orders.reduce(addOrder, NO_ORDERS)) };
  const signature = await stage.signerOf(job).signTypedData(receiptTypedData(fitting, await contentHashOf(fitting)));
  return { receipt: fitting, signature };
}
