import { ALL_SERVICES } from '@maker/local-stack';
import { until } from '../../../support/until.ts';
import { tradesAgain, tradesOn } from './mended.ts';
import { type Run, type RunbookStage, SOON } from './runbook-stage.ts';

/** A service that uses all three servers. */
const SERVICE = 'payment-watcher';

/** Longer than an alert tolerates. */
const REQUESTS = 20;

type Server = Parameters<RunbookStage['reach']>[0];

/** Services cannot reach a server while a job trades. The test reads a service's state where its pod would expose it. */
const cutOff = (server: Server) => async (stage: RunbookStage) => {
  const { JOB } = await stage.startTrading();
  stage.reach(server, false);
  return { JOB, SERVICE: stage.stack.ops[SERVICE], RPC: stage.stack.rpcUrl };
};

const bringBack = (server: Server) => async (stage: RunbookStage) => {
  stage.reach(server, true);
  await stage.untilReady(SERVICE);
};

async function kill(stage: RunbookStage) {
  const { jobId, paymentAddress } = await stage.create();
  await stage.running.kill(SERVICE, 'SIGKILL');
  await stage.product.pay(paymentAddress, '0.25');
  return { JOB: jobId, SERVICE: stage.stack.ops[SERVICE] };
}

/** Prometheus has no target. */
async function killAll({ running, stack }: RunbookStage) {
  for (const service of ALL_SERVICES) await running.kill(service, 'SIGKILL');
  return { SERVICE: stack.ops[SERVICE] };
}

async function startAll({ running }: RunbookStage): Promise<void> {
  await Promise.all(ALL_SERVICES.map((service) => running.restart(service)));
}

/** Visitors send requests that no service can answer. The gateway answered some before, and Prometheus saw it: a rise needs a start. */
async function askInVain(stage: RunbookStage) {
  const { product, prometheus, running, stack } = stage;
  await product.validate(stack.tokens.v3Only);
  const answered = `timestamp(maker_nats_requests_total{job="api-gateway",subject="token.validate"}) > ${Date.now() / 1000}`;
  await until(
    'a scrape after it',
    () => prometheus.query(answered),
    (series) => series.length > 0,
    SOON,
  );
  await running.kill('token-validation', 'SIGKILL');
  const body = { tokenAddress: stack.tokens.v3Only };
  for (let asked = 0; asked < REQUESTS; asked++) await product.call('POST', '/validate-token', body);
  return { SERVICE: stack.ops['token-validation'] };
}

async function isAnswered({ product, stack }: RunbookStage): Promise<void> {
  await product.validate(stack.tokens.v3Only);
}

/** Faults of servers and whole services. */
export const OUTAGE_RUNS: readonly Run[] = [
  {
    runbook: 'alerting-silent',
    alert: 'MakerAlertingWorks',
    isAlwaysFiring: true,
    makeFault: killAll,
    shows: /"health":"down"/,
    blocksBefore: 1,
    elsewhere: startAll,
    isMended: tradesAgain,
  },
  {
    runbook: 'service-missing',
    alert: 'MakerServiceMissing',
    makeFault: kill,
    shows: /no answer/,
    blocksBefore: 1,
    elsewhere: ({ running }) => running.restart(SERVICE),
    isMended: tradesOn,
  },
  {
    runbook: 'requests-unanswered',
    alert: 'MakerRequestsUnanswered',
    patience: { '[10m]': '[1m]' },
    makeFault: askInVain,
    shows: /no answer/,
    blocksBefore: 1,
    elsewhere: ({ running }) => running.restart('token-validation'),
    isMended: isAnswered,
  },
  {
    runbook: 'nats-disconnected',
    alert: 'MakerNatsDisconnected',
    makeFault: cutOff('nats-server'),
    shows: /"nats"/,
    blocksBefore: 1,
    elsewhere: bringBack('nats-server'),
    isMended: tradesOn,
  },
  {
    runbook: 'mongodb-failing',
    alert: 'MakerMongoFailing',
    makeFault: cutOff('mongod'),
    shows: /"mongo/,
    blocksBefore: 1,
    elsewhere: bringBack('mongod'),
    isMended: tradesOn,
  },
  {
    runbook: 'readings-failing',
    alert: 'MakerReadingsFailing',
    patience: { '[10m]': '[1m]' },
    makeFault: cutOff('mongod'),
    shows: /"mongo/,
    blocksBefore: 1,
    elsewhere: bringBack('mongod'),
    isMended: tradesOn,
  },
  {
    runbook: 'chain-unreachable',
    alert: 'MakerChainUnreachable',
    patience: { '[2m]': '[20s]' },
    makeFault: cutOff('chain'),
    shows: /The product works with this/,
    blocksBefore: 1,
    elsewhere: bringBack('chain'),
    isMended: tradesOn,
  },
];
