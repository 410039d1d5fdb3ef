import {
  changeReturnAddress,
  createJob,
  getJobPayment,
  getJobPayments,
  getJobStatus,
  getReceipt,
  getSignedReceipt,
  getStats,
  listOrders,
  listSignedOrders,
  MOST_RECEIPT_TEXT_SENT,
  makePlan,
  searchJobs,
  startJob,
  stopJob,
  validateToken,
} from '@maker/contracts';
import { HandleRequest, RequestFailure } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { agreementFixture, signedAgreement } from './agreed-answer.fixture.ts';
import { isBad, JOB_ID, planFixture, STOP_SECRET, TIME, TOKEN } from './service-answers.fixture.ts';
import { answer, record, recordAbout, services } from './services.fixture.ts';

/** Fakes of the other services, for requests of visitors. */
@Controller()
export class VisitorServices {
  @HandleRequest(validateToken)
  async validate(payload: { tokenAddress: string }) {
    await record('token.validate', payload);
    const isValid = !isBad(payload.tokenAddress);
    return {
      isValid,
      ...(isValid ? {} : { errorMessage: 'Selling this token fails' }),
      liquidityStatus: { meetsMinimum: isValid, hasV2: true, hasV3: false },
      checkedAtBlock: { number: 1, at: TIME },
    };
  }

  @HandleRequest(makePlan)
  async plan(payload: { tokenAddress: string; paymentAmountWei: string }) {
    await record('job.plan.make', payload);
    return planFixture(payload.paymentAmountWei);
  }

  @HandleRequest(createJob)
  async create(payload: z.input<typeof createJob.request>) {
    await record('job.create', payload);
    if (isBad(payload.tokenAddress)) throw new RequestFailure('TOKEN_NOT_TRADABLE', 'Selling this token fails');
    const { paymentAddress, paymentDeadline } = services.payment;
    const { paymentAmountWei } = payload;
    const answer = { jobId: JOB_ID, paymentAddress, paymentAmount: 0.5, paymentAmountWei, paymentDeadline };
    const agreement = await signedAgreement(agreementFixture(payload, answer));
    return { ...answer, agreement, ...(services.replays && { replayed: true as const }), ...services.lie };
  }

  @HandleRequest(searchJobs)
  async search(payload: { apiKeyName: string | null }) {
    await record('job.search', payload);
    const { apiKeyName } = payload;
    return {
      jobs: services.listed.filter(({ owner }) => apiKeyName === null || owner === apiKeyName).map(({ job }) => job),
    };
  }

  @HandleRequest(getJobPayment)
  async payment(payload: { jobId: string }) {
    await recordAbout('job.payment.get', payload);
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
    await recordAbout('job.status.get', payload);
    return { ...services.payment, tokenAddress: TOKEN, createdAt: TIME };
  }

  @HandleRequest(stopJob)
  async stop(payload: { jobId: string; stopSecret: string }) {
    await record('job.stop', payload);
    if (payload.stopSecret !== STOP_SECRET) throw new RequestFailure('FORBIDDEN', 'not the secret');
    return { status: 'active' as const, outcome: 'it ends' };
  }

  @HandleRequest(startJob)
  async start(payload: { jobId: string; stopSecret: string }) {
    await record('job.start', payload);
    if (payload.stopSecret !== STOP_SECRET) throw new RequestFailure('FORBIDDEN', 'not the secret');
    return { status: 'active' as const, amountWei: '410000000000000000' };
  }

  @HandleRequest(changeReturnAddress)
  async changeReturnAddress(payload: { jobId: string; stopSecret: string; returnAddress: string }) {
    await record('job.return_address.change', payload);
    return { returnAddress: payload.returnAddress };
  }

  @HandleRequest(getStats)
  stats(payload: object) {
    return answer('job.stats.get', payload, { jobs: { active: 3 }, latestJob: { tokenAddress: TOKEN } });
  }

  @HandleRequest(getReceipt)
  receipt(payload: { jobId: string }) {
    return answer('receipts.receipt.get', payload, { receipt: services.receipt });
  }

  @HandleRequest(listOrders)
  orders(payload: { jobId: string; after: number; limit: number }) {
    return answer('receipts.orders.list', payload, {
      orders: services.orders.filter(({ number }) => number > payload.after).slice(0, payload.limit),
    });
  }

  @HandleRequest(getSignedReceipt)
  async signedReceipt({ from }: { from: number }) {
    const { signedOrders, signedHead } = services;
    const headPart = signedHead.slice(from, from + MOST_RECEIPT_TEXT_SENT);
    const part = { headPart, headLength: signedHead.length, signature: '0xab' };
    return { receipt: signedOrders && { ...part, orderCount: signedOrders.length } };
  }

  @HandleRequest(listSignedOrders)
  async signedOrders({ after, limit }: { after: number; limit: number }) {
    return { orders: (services.signedOrders ?? []).slice(after, after + limit) };
  }
}
