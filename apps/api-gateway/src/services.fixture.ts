import type { JobPaymentResponse, OperatorActionEntry, Receipt, ReceiptOrder } from '@maker/contracts';
import { RequestFailure } from '@maker/messaging';
import { currentRequestId } from '@maker/service-kit';
import { JOB_ID, paymentFixture } from './service-answers.fixture.ts';

/** What the fakes answer with and what they were asked; specs change and read it. */
export const services = {
  payment: undefined as unknown as JobPaymentResponse,
  receipt: null as Receipt | null,
  orders: [] as ReceiptOrder[],
  /** Orders of the signed receipt, as text; null: nothing was signed. */
  signedOrders: null as readonly string[] | null,
  /** Of the signed receipt file: all but its orders. */
  signedHead: '{"jobId":"x"}',
  /** The audit log. */
  actions: [] as Omit<OperatorActionEntry, 'at'>[],
  /** When set, this subject is refused with this code. */
  refusing: undefined as { readonly subject: string; readonly code: string } | undefined,
  /** When set, the requests of this subject are never answered. */
  silent: undefined as string | undefined,
  asked: [] as { readonly subject: string; readonly payload: unknown; readonly requestId: string | undefined }[],

  reset() {
    this.payment = paymentFixture();
    this.receipt = null;
    this.orders = [];
    this.signedOrders = null;
    this.signedHead = '{"jobId":"x"}';
    this.actions = [];
    this.refusing = undefined;
    this.silent = undefined;
    this.asked = [];
  },

  countOf(subject: string): number {
    return this.asked.filter((asked) => asked.subject === subject).length;
  },
};

/** Notes a request, and leaves it without an answer where a spec wants that. */
export async function ask(subject: string, payload: unknown): Promise<void> {
  services.asked.push({ subject, payload, requestId: currentRequestId() });
  if (services.silent === subject) await new Promise(() => undefined);
  if (services.refusing?.subject === subject) throw new RequestFailure(services.refusing.code, 'not now');
}

/** Notes a request and answers it. */
export async function answer<Reply>(subject: string, payload: unknown, reply: Reply): Promise<Reply> {
  await ask(subject, payload);
  return reply;
}

/** Notes a request about a job, and refuses it where the fakes do not know the job. */
export async function askAbout(subject: string, payload: { jobId: string }): Promise<void> {
  await ask(subject, payload);
  if (payload.jobId !== JOB_ID) throw new RequestFailure('JOB_NOT_FOUND', `No job has the id ${payload.jobId}`);
}
