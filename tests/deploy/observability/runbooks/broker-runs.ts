import type { OperatorJobResponse } from '@maker/contracts';
import { until } from '../../../support/until.ts';
import { tradesOn } from './mended.ts';
import type { FilledIn, Run, RunbookStage } from './runbook-stage.ts';

const EXECUTOR = 'maker-executor';
const WATCHER = 'payment-watcher';

/** A database writes no row of the log's end, so the relay numbers no event. */
async function stopTheLog(stage: RunbookStage) {
  const { JOB } = await stage.startTrading();
  await stage.refuseRows(EXECUTOR, 'event_logs', true, 'strict');
  return { JOB, SERVICE: stage.stack.ops[EXECUTOR] };
}

/** Time of eight attempts with their pauses. */
const GIVEN_UP = { timeoutMs: 480_000 };

/** A database writes no row, so that an event cannot be processed until its attempts are exhausted. */
async function refuseTheEvent(stage: RunbookStage) {
  await stage.refuseRows(WATCHER, 'watches', true);
  const { jobId } = await stage.create();
  const failed = () => stage.rows(WATCHER, 'parked_events').countDocuments({ attempts: { $gte: 8 } });
  await until('the last attempt', failed, (count) => count > 0, GIVEN_UP);
  return { JOB: jobId, OPS: stage.stack.ops[WATCHER] };
}

/** The database works again, and the operator repeats the event. */
async function repeatTheEvent(stage: RunbookStage): Promise<void> {
  await stage.refuseRows(WATCHER, 'watches', false);
  const due = { $set: { retryAt: new Date() } };
  await stage.rows(WATCHER, 'parked_events').updateMany({ retryAt: { $exists: true } }, due);
}

/** The event is applied: the job's payment is seen. */
async function isApplied(stage: RunbookStage, { JOB = '' }: FilledIn): Promise<void> {
  const { job } = await stage.product.operate<OperatorJobResponse>('GET', `/jobs/${JOB}`);
  await stage.product.pay(job.paymentAddress, '0.25');
  await stage.tradesOn(JOB);
}

/** Faults of events and their consumers. */
export const BROKER_RUNS: readonly Run[] = [
  {
    runbook: 'outbox-not-published',
    alert: 'MakerOutboxNotPublished',
    patience: { '> 60': '> 10' },
    makeFault: stopTheLog,
    shows: /maker_outbox_age_seconds [1-9]/,
    blocksBefore: 1,
    elsewhere: (stage) => stage.refuseRows(EXECUTOR, 'event_logs', false),
    isMended: tradesOn,
  },
  {
    runbook: 'events-parked',
    alert: 'MakerEventsParked',
    inStep: true,
    makeFault: refuseTheEvent,
    shows: /state="failed"\} [1-9]/,
    blocksBefore: 1,
    elsewhere: repeatTheEvent,
    isMended: isApplied,
  },
];
