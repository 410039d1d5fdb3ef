import type { OperatorJobResponse } from '@maker/contracts';
import { DiscardPolicy, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { readingOf } from '../../../support/readings.ts';
import { until } from '../../../support/until.ts';
import { tradesOn } from './mended.ts';
import { type FilledIn, type Run, type RunbookStage, SOON } from './runbook-stage.ts';

const EVENTS = 'EVENTS';

async function atBroker({ stack }: RunbookStage, act: (manager: JetStreamManager) => Promise<unknown>): Promise<void> {
  const connection = await connect({ servers: stack.natsUrl });
  try {
    await act(await jetstreamManager(connection));
  } finally {
    await connection.close();
  }
}

/** The broker has no space for another event. */
async function fillTheStream(stage: RunbookStage) {
  const { JOB } = await stage.startTrading();
  await atBroker(stage, ({ streams }) => streams.update(EVENTS, { max_bytes: 1, discard: DiscardPolicy.New }));
  return { JOB, NATS: stage.stack.natsMonitorUrl, SERVICE: stage.stack.ops['maker-executor'] };
}

const makeRoom = (stage: RunbookStage) =>
  atBroker(stage, ({ streams }) => streams.update(EVENTS, { max_bytes: -1, discard: DiscardPolicy.Old }));

const WATCHER = 'payment-watcher';
const CREATED = 'job.created';

/** More events than the catch-up may find before the alert fires. */
const JOBS = 20;

/** A paused consumer, as if an operator had forgotten it. */
const FORGOTTEN_MS = 3_600_000;

/** The consumer of a service hangs while visitors create jobs. */
async function pauseTheConsumer(stage: RunbookStage) {
  await atBroker(stage, ({ consumers }) => consumers.pause(EVENTS, WATCHER, new Date(Date.now() + FORGOTTEN_MS)));
  const { jobId, paymentAddress } = await stage.create();
  for (let created = 1; created < JOBS; created++) await stage.create();
  await stage.product.pay(paymentAddress, '0.25');
  return { JOB: jobId, NATS: stage.stack.natsMonitorUrl, NATS_URL: stage.stack.natsUrl, SERVICE: WATCHER };
}

/** The consumer exists again, delivers, and has nothing pending. */
async function isDelivered(stage: RunbookStage, filledIn: FilledIn): Promise<void> {
  await tradesOn(stage, filledIn);
  await stage.startTrading();
  await atBroker(stage, ({ consumers }) =>
    until(
      'every event to be delivered',
      () => consumers.info(EVENTS, WATCHER),
      ({ paused = false, num_pending, num_ack_pending }) => !paused && num_pending + num_ack_pending === 0,
      SOON,
    ),
  );
}

/** Time of eight deliveries with their pauses. */
const GIVEN_UP = { timeoutMs: 480_000 };

/** A database writes no row, so that an event cannot be processed until its deliveries are exhausted. */
async function refuseTheEvent(stage: RunbookStage) {
  await stage.refuseRows(WATCHER, 'watches', true);
  const { jobId } = await stage.create();
  const letters = () => readingOf(stage.stack.ops[WATCHER], 'maker_events_dead_letters_waiting');
  await until('the dead letter', letters, (count) => count > 0, GIVEN_UP);
  const { natsUrl, ops } = stage.stack;
  return { JOB: jobId, NATS_URL: natsUrl, OPS: ops[WATCHER], SERVICE: WATCHER, TYPE: CREATED };
}

/** The event is applied: the job's payment is seen. */
async function isApplied(stage: RunbookStage, { JOB = '' }: FilledIn): Promise<void> {
  const { job } = await stage.product.operate<OperatorJobResponse>('GET', `/jobs/${JOB}`);
  await stage.product.pay(job.paymentAddress, '0.25');
  await stage.tradesOn(JOB);
}

/** Faults of the event broker and its consumers. */
export const BROKER_RUNS: readonly Run[] = [
  {
    runbook: 'outbox-not-published',
    alert: 'MakerOutboxNotPublished',
    patience: { '> 60': '> 10' },
    makeFault: fillTheStream,
    shows: /"max_bytes": 1\b/,
    blocksBefore: 1,
    elsewhere: makeRoom,
    isMended: tradesOn,
  },
  {
    runbook: 'events-recovered',
    alert: 'MakerEventsRecovered',
    patience: { '[15m]': '[1m]' },
    makeFault: pauseTheConsumer,
    shows: /"paused": true/,
    blocksBefore: 1,
    isMended: isDelivered,
  },
  {
    runbook: 'dead-letters',
    alert: 'MakerDeadLetters',
    inStep: true,
    patience: { '[1h]': '[1m]' },
    makeFault: refuseTheEvent,
    shows: /Document failed validation|dead\.payment-watcher\.job\.created/,
    blocksBefore: 1,
    elsewhere: (stage) => stage.refuseRows(WATCHER, 'watches', false),
    isMended: isApplied,
  },
];
