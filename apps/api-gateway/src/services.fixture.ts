import type {
  CreateJobResponse,
  JobPaymentResponse,
  ListedJob,
  OperatorActionEntry,
  Receipt,
  ReceiptOrder,
} from '@maker/contracts';
import { RequestFailure } from '@maker/messaging';
import { currentRequestId } from '@maker/service-kit';
import { JOB_ID, paymentFixture } from './service-answers.fixture.ts';

/** Answers of the fakes and their received requests; specs change and read them. */
export const services = {
  payment: undefined as unknown as JobPaymentResponse,
  receipt: null as Receipt | null,
  orders: [] as ReceiptOrder[],
  /** Orders of the signed receipt, as text; null: nothing was signed. */
  signedOrders: null as readonly string[] | null,
  /** Signed receipt file without its orders. */
  signedHead: '{"jobId":"x"}',
  /** Jobs in lists, each with the name of the API key that created it. */
  listed: [] as { readonly owner: string; readonly job: ListedJob }[],
  /** The audit log. */
  actions: [] as Omit<OperatorActionEntry, 'at'>[],
  /** If set, requests of this subject are refused with this code. */
  refusing: undefined as { readonly subject: string; readonly code: string } | undefined,
  /** Fields that replace those of each answer to a creation, after the job service signed its agreement. */
  lie: {} as Partial<CreateJobResponse>,
  /** Whether each creation repeats an earlier one. */
  replays: false,
  /** If set, requests of this subject are never answered. */
  silent: undefined as string | undefined,
  requests: [] as { readonly subject: string; readonly payload: unknown; readonly requestId: string | undefined }[],

  reset() {
    this.payment = paymentFixture();
    this.receipt = null;
    this.orders = [];
    this.signedOrders = null;
    this.signedHead = '{"jobId":"x"}';
    this.listed = [];
    this.actions = [];
    this.refusing = undefined;
    this.silent = undefined;
    this.lie = {};
    this.replays = false;
    this.requests = [];
  },

  countOf(subject: string): number {
    return this.requests.filter((request) => request.subject === subject).length;
  },
};

/** Records a request. It never resolves for a silent subject, and throws for a refused one. */
export async function record(subject: string, payload: unknown): Promise<void> {
  services.requests.push({ subject, payload, requestId: currentRequestId() });
  if (services.silent === subject) await new Promise(() => undefined);
  if (services.refusing?.subject === subject) throw new RequestFailure(services.refusing.code, 'not now');
}

/** Records a request and answers it. */
export async function answer<Reply>(subject: string, payload: unknown, reply: Reply): Promise<Reply> {
  await record(subject, payload);
  return reply;
}

/** Records a request about a job, and refuses an unknown job. */
export async function recordAbout(subject: string, payload: { jobId: string }): Promise<void> {
  await record(subject, payload);
  if (payload.jobId !== JOB_ID) throw new RequestFailure('JOB_NOT_FOUND', `No job has the id ${payload.jobId}`);
}
