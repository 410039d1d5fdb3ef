import {
  carryOutCommand,
  getJobTimeline,
  listCommands,
  listJobs,
  listLedger,
  listOperatorActions,
  listWebhookDeliveries,
  listWebhookEndpoints,
  type OperatorActionEntry,
  rebroadcast,
  reconcileJob,
  recordOperatorAction,
  redeliverWebhooks,
  setPause,
} from '@maker/contracts';
import { HandleRequest, RequestFailure } from '@maker/messaging';
import { Controller } from '@nestjs/common';
import { JOB_ID, TIME, TOKEN } from './service-answers.fixture.ts';
import { answer, record, recordAbout, services } from './services.fixture.ts';

/** Fakes of the other services, for requests of operators. */
@Controller()
export class OperatorServices {
  @HandleRequest(recordOperatorAction)
  async record(payload: Omit<OperatorActionEntry, 'at'>) {
    await record('job.operator_action.record', payload);
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
    return answer('maker-executor.command.carry_out', payload, { outcome: 'carried out' });
  }

  @HandleRequest(listCommands)
  commands(payload: object) {
    return answer('receipts.command.list', payload, { commands: [] });
  }

  @HandleRequest(setPause)
  pause(payload: object) {
    return answer('maker-executor.pause.set', payload, { outcome: 'set' });
  }

  @HandleRequest(rebroadcast)
  rebroadcast(payload: object) {
    return answer('maker-executor.rebroadcast', payload, { outcome: 'sent again' });
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
    await record('maker-executor.reconcile', payload);
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
    await recordAbout('job.timeline.get', payload);
    return { job: operatorJob(), timeline: [{ at: TIME, action: 'job.created', cause: 'api key web', details: {} }] };
  }

  @HandleRequest(listLedger)
  async ledger(payload: { afterId?: string | undefined }) {
    await record('receipts.ledger.list', payload);
    const line = {
      kind: 'fee',
      asset: 'hype' as const,
      from: 'wallet',
      to: 'treasury',
      amount: '1',
      transactionHash: null,
    };
    // A full page, and a last page.
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
