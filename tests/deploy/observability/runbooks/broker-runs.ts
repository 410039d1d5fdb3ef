import { DiscardPolicy, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { tradesOn } from './mended.ts';
import type { Run, RunbookStage } from './runbook-stage.ts';

const EVENTS = 'EVENTS';

async function atBroker({ stack }: RunbookStage, act: (manager: JetStreamManager) => Promise<unknown>): Promise<void> {
  const connection = await connect({ servers: stack.natsUrl });
  try {
    await act(await jetstreamManager(connection));
  } finally {
    await connection.close();
  }
}

/** The broker has no room for another event. */
async function fillTheStream(stage: RunbookStage) {
  const { JOB } = await stage.startTrading();
  await atBroker(stage, ({ streams }) => streams.update(EVENTS, { max_bytes: 1, discard: DiscardPolicy.New }));
  return { JOB, NATS: stage.stack.natsMonitorUrl, SERVICE: stage.stack.ops['maker-executor'] };
}

const makeRoom = (stage: RunbookStage) =>
  atBroker(stage, ({ streams }) => streams.update(EVENTS, { max_bytes: -1, discard: DiscardPolicy.Old }));

/** Faults of the broker of events. */
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
];
