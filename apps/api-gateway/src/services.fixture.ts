import {
  carryOutCommand,
  changeReturnAddress,
  createJob,
  getJobPayment,
  getJobPayments,
  getJobStatus,
  getJobTimeline,
  getReceipt,
  getSignedReceipt,
  getStats,
  type JobPaymentResponse,
  type JobPlan,
  listCommands,
  listJobs,
  listLedger,
  listOperatorActions,
  listOrders,
  listSignedOrders,
  listWebhookDeliveries,
  listWebhookEndpoints,
  MOST_RECEIPT_TEXT_TOLD,
  makePlan,
  type OperatorActionEntry,
  type Receipt,
  type ReceiptOrder,
  rebroadcast,
  reconcileJob,
  recordOperatorAction,
  redeliverWebhooks,
  setPause,
  stopJob,
  validateToken,
} from '@maker/contracts';
import { connectionOptions, HandleRequest, RequestFailure } from '@maker/messaging';
import { startServer } from '@maker/messaging/testing';
import { currentRequestId } from '@maker/service-kit';
import { Controller, type INestMicroservice, Module } from '@nestjs/common';

/** The one job that the fakes know. */
export const JOB_ID = `job_${'a'.repeat(32)}`;
/** A token that the fakes take for a bad one. */
export const BAD_TOKEN = `0x${'b'.repeat(40)}`;
/** What stops it. */
export const STOP_SECRET = `stop_${'s'.repeat(32)}`;
const TOKEN = `0x${'1'.repeat(40)}`;
const TIME = '2026-01-01T00:00:00.000Z';

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

/** A payment that is awaited. */
export function paymentFixture(differences: Partial<JobPaymentResponse> = {}): JobPaymentResponse {
  return {
    jobId: JOB_ID,
    status: 'pending_payment',
    paymentReceived: false,
    paymentAddress: `0x${'2'.repeat(40)}`,
    paymentAmount: 0.5,
    paymentAmountWei: '500000000000000000',
    paymentDeadline: TIME,
    receivedWei: '0',
    lateWei: '0',
    flags: { underpaid: false, overpaid: false, late: false },
    ...differences,
  };
}

/** A plan for a deposit. */
export function planFixture(depositWei: string): JobPlan {
  return {
    depositWei,
    feeWei: '1',
    orderBudgetWei: '2',
    reserveWei: '3',
    orders: { count: 625, sizeWei: '400000000000000', merged: 1, intervalMs: 138_240 },
    slotMs: 138_240,
    startsAt: TIME,
    expectedEndAt: TIME,
    tradingEndsAt: TIME,
    latestEndAt: TIME,
    spendableWei: '2',
    purchase: {
      exchange: 'hyperswap-v2',
      seenPriceX96: '79228162514264337593543950336',
      tokens: '2',
      orderImpactBps: 1,
      impactBps: 1,
      priceRiseBps: 1,
    },
    gas: { ordersWei: '1', transfersWei: '1', fromReserveWei: '2', fromBudgetWei: '0' },
    returnedWei: '1',
    limits: { slippageBps: 100, impactCapBps: 50, bandBps: 1000 },
    warnings: [],
    assumes: { gasPriceWei: '100000000', block: { number: 1, at: TIME } },
    token: { symbol: 'BOTH', decimals: 3 },
  };
}

/** Mined orders 1 to `count`. */
export function ordersFixture(count: number): ReceiptOrder[] {
  return Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    status: 'mined',
    transactionHash: `0x${index.toString(16).padStart(64, '0')}`,
    exchange: 'uniswap-v2',
    tradeWei: '300000000000000',
    gasWei: '100000000000000',
    tokensBought: '1000',
    placedAt: TIME,
  }));
}

/** A receipt whose fee has been paid. */
export function receiptFixture(): Receipt {
  return {
    depositWei: '500000000000000000',
    feeWei: '150000000000000000',
    orderBudgetWei: '250000000000000000',
    plannedOrders: 625,
    estimate: { lower: 500, upper: 833 },
    ordersPlaced: 2,
    ordersFailed: 0,
    tradedWei: '600000000000000',
    gasWei: '200000000000000',
    tokensBought: '2000',
    token: { address: TOKEN, symbol: 'BOTH', decimals: 3 },
    intervalSeconds: 1,
    deliveredTokens: '0',
    returnedWei: '0',
    heldWei: '0',
    transfers: [
      {
        kind: 'fee',
        status: 'mined',
        transactionHash: `0x${'f'.repeat(64)}`,
        to: `0x${'4'.repeat(40)}`,
        amount: '150000000000000000',
        gasWei: '21000',
      },
    ],
  };
}

/** Notes a request, and leaves it without an answer where a spec wants that. */
async function ask(subject: string, payload: unknown): Promise<void> {
  services.asked.push({ subject, payload, requestId: currentRequestId() });
  if (services.silent === subject) await new Promise(() => undefined);
  if (services.refusing?.subject === subject) throw new RequestFailure(services.refusing.code, 'not now');
}

async function answer<Reply>(subject: string, payload: unknown, reply: Reply): Promise<Reply> {
  await ask(subject, payload);
  return reply;
}

async function askAbout(subject: string, payload: { jobId: string }): Promise<void> {
  await ask(subject, payload);
  if (payload.jobId !== JOB_ID) throw new RequestFailure('JOB_NOT_FOUND', `No job has the id ${payload.jobId}`);
}

@Controller()
class ServiceDoubles {
  @HandleRequest(validateToken)
  async validate(payload: { tokenAddress: string }) {
    await ask('token.validate', payload);
    const isValid = payload.tokenAddress !== BAD_TOKEN;
    return {
      isValid,
      ...(isValid ? {} : { errorMessage: 'Selling this token fails' }),
      liquidityStatus: { meetsMinimum: isValid, hasV2: true, hasV3: false },
      checkedAtBlock: { number: 1, at: TIME },
    };
  }

  @HandleRequest(makePlan)
  async plan(payload: { tokenAddress: string; paymentAmountWei: string }) {
    await ask('job.plan.make', payload);
    return planFixture(payload.paymentAmountWei);
  }

  @HandleRequest(createJob)
  async create(payload: { tokenAddress: string; paymentAmountWei: string }) {
    await ask('job.create', payload);
    if (payload.tokenAddress === BAD_TOKEN) throw new RequestFailure('TOKEN_NOT_TRADABLE', 'Selling this token fails');
    const { paymentAddress, paymentDeadline } = services.payment;
    const { paymentAmountWei } = payload;
    return { jobId: JOB_ID, paymentAddress, paymentAmount: 0.5, paymentAmountWei, paymentDeadline };
  }

  @HandleRequest(getJobPayment)
  async payment(payload: { jobId: string }) {
    await askAbout('job.payment.get', payload);
    return services.payment;
  }

  @HandleRequest(getJobPayments)
  payments(payload: { jobIds: readonly string[] }) {
    return answer('job.payments.get', payload, {
      payments: Object.fromEntries(payload.jobIds.map((jobId) => [jobId, { ...services.payment, jobId }])),
    });
  }

  @HandleRequest(getJobStatus)
  async status(payload: { jobId: string }) {
    await askAbout('job.status.get', payload);
    return { ...services.payment, tokenAddress: TOKEN, createdAt: TIME };
  }

  @HandleRequest(stopJob)
  async stop(payload: { jobId: string; stopSecret: string }) {
    await ask('job.stop', payload);
    if (payload.stopSecret !== STOP_SECRET) throw new RequestFailure('FORBIDDEN', 'not the secret');
    return { status: 'active' as const, outcome: 'it ends' };
  }

  @HandleRequest(changeReturnAddress)
  async changeReturnAddress(payload: { jobId: string; stopSecret: string; returnAddress: string }) {
    await ask('job.return_address.change', payload);
    return { returnAddress: payload.returnAddress };
  }

  @HandleRequest(getStats)
  stats(payload: object) {
    return answer('job.stats.get', payload, { jobs: { active: 3 }, latestJob: { tokenAddress: TOKEN } });
  }

  @HandleRequest(getReceipt)
  receipt(payload: { jobId: string }) {
    return answer('execution.receipt.get', payload, { receipt: services.receipt });
  }

  @HandleRequest(listOrders)
  orders(payload: { jobId: string; after: number; limit: number }) {
    return answer('execution.orders.list', payload, {
      orders: services.orders.filter(({ number }) => number > payload.after).slice(0, payload.limit),
    });
  }

  @HandleRequest(getSignedReceipt)
  async signedReceipt({ from }: { from: number }) {
    const { signedOrders, signedHead } = services;
    const headPart = signedHead.slice(from, from + MOST_RECEIPT_TEXT_TOLD);
    const told = { headPart, headLength: signedHead.length, signature: '0xab' };
    return { receipt: signedOrders && { ...told, orderCount: signedOrders.length } };
  }

  @HandleRequest(listSignedOrders)
  async signedOrders({ after, limit }: { after: number; limit: number }) {
    return { orders: (services.signedOrders ?? []).slice(after, after + limit) };
  }
}

@Controller()
class OperatorDoubles {
  @HandleRequest(recordOperatorAction)
  async record(payload: Omit<OperatorActionEntry, 'at'>) {
    await ask('job.operator_action.record', payload);
    if (payload.jobId !== undefined && payload.jobId !== JOB_ID)
      throw new RequestFailure('JOB_NOT_FOUND', 'no such job');
    services.actions.push(payload);
    return {};
  }

  @HandleRequest(listOperatorActions)
  actions() {
    return { actions: services.actions.map((action) => ({ ...action, at: TIME })) };
  }

  @HandleRequest(carryOutCommand)
  carryOut(payload: object) {
    return answer('execution.command.carry_out', payload, { outcome: 'carried out' });
  }

  @HandleRequest(listCommands)
  commands(payload: object) {
    return answer('execution.command.list', payload, { commands: [] });
  }

  @HandleRequest(setPause)
  pause(payload: object) {
    return answer('execution.pause.set', payload, { outcome: 'set' });
  }

  @HandleRequest(rebroadcast)
  rebroadcast(payload: object) {
    return answer('execution.rebroadcast', payload, { outcome: 'sent again' });
  }

  @HandleRequest(listWebhookEndpoints)
  webhookEndpoints(payload: object) {
    return answer('webhook.endpoints.list', payload, {
      endpoints: [{ name: 'shop', host: 'shop.example', since: TIME, waiting: 0 }],
    });
  }

  @HandleRequest(listWebhookDeliveries)
  webhookDeliveries(payload: object) {
    return answer('webhook.deliveries.list', payload, { deliveries: [] });
  }

  @HandleRequest(redeliverWebhooks)
  redeliver(payload: object) {
    return answer('webhook.redeliver', payload, { outcome: '1 message to shop will be sent again' });
  }

  @HandleRequest(reconcileJob)
  async reconcile(payload: { jobId: string; walletAddress: string }) {
    await ask('execution.reconcile', payload);
    return {
      ...payload,
      verdict: 'equal' as const,
      blockNumber: 1,
      chainWei: '0',
      expectedWei: '0',
      differenceWei: '0',
      heldWei: '0',
      totals: {},
      usedNonces: 0,
      signedNonces: 0,
      openTransactions: 0,
      explanation: ['equal'],
    };
  }

  @HandleRequest(listJobs)
  jobs(payload: object) {
    return answer('job.list', payload, { jobs: [operatorJob()] });
  }

  @HandleRequest(getJobTimeline)
  async timeline(payload: { jobId: string }) {
    await askAbout('job.timeline.get', payload);
    return { job: operatorJob(), timeline: [{ at: TIME, action: 'job.created', cause: 'api key web', details: {} }] };
  }

  @HandleRequest(listLedger)
  async ledger(payload: { afterId?: string | undefined }) {
    await ask('execution.ledger.list', payload);
    const line = {
      kind: 'fee',
      asset: 'hype' as const,
      from: 'wallet',
      to: 'treasury',
      amount: '1',
      transactionHash: null,
    };
    // One page that is full, and one that ends it.
    const count = payload.afterId === undefined ? 500 : 1;
    const lines = Array.from({ length: count }, (_, index) => ({
      ...line,
      id: `${payload.afterId ?? 'line'}/${index}`,
      blockNumber: 1,
      recordedAt: TIME,
    }));
    return { lines };
  }
}

function operatorJob() {
  return { ...services.payment, tokenAddress: TOKEN, createdAt: TIME, walletIndex: 7, returnAddress: null };
}

@Module({ controllers: [ServiceDoubles, OperatorDoubles] })
class ServiceDoublesModule {}

/** Starts what answers in place of the other services, on a real NATS server. */
export function startServices(natsUrl: string): Promise<INestMicroservice> {
  services.reset();
  const options = { ...connectionOptions('services', { NATS_URL: [natsUrl] }), queue: 'services' };
  return startServer(ServiceDoublesModule, options);
}
