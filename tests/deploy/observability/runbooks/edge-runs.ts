import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../../support/until.ts';
import { type FilledIn, type Run, type RunbookStage, SOON } from './runbook-stage.ts';

/** More refusals in ten minutes than one visitor causes. */
const FLOOD = 30;

/** The gateway's API key file, updated as a cluster does. */
const keysOfApi = ({ stack }: RunbookStage) => join(dirname(stack.operators[0]?.keyFile ?? ''), 'api-keys.json');

/** One hash is invalid. */
async function spoilTheKeys(stage: RunbookStage) {
  const KEYS = keysOfApi(stage);
  const WEB_KEY_FILE = join(stage.folder, 'web-api-key');
  await writeFile(WEB_KEY_FILE, stage.stack.apiKey);
  await writeFile(KEYS, JSON.stringify([{ name: 'web', sha256: 'none', scopes: ['public'] }]));
  return { KEYS, WEB_KEY_FILE };
}

async function isLetIn({ product }: RunbookStage): Promise<void> {
  await product.stats();
  await product.operate('GET', '/jobs?limit=1');
}

async function refuseWebhooks(stage: RunbookStage) {
  const SINCE = new Date().toISOString();
  stage.receiver.refuse(Infinity);
  const { jobId } = await stage.create();
  return { ENDPOINT: 'receiver', SINCE, JOB: jobId };
}

/** Waits until the receiver has a valid message about the job. */
async function isNotified({ receiver }: RunbookStage, { JOB = '' }: FilledIn): Promise<void> {
  const received = () => Promise.resolve([...receiver.contents.values()].flatMap((bodies) => [...bodies]));
  await until('the message', received, (bodies) => bodies.some((body) => body.includes(JOB)), SOON);
  expect(receiver.forged).toEqual([]);
}

/** Visitors from one address create more jobs than one may leave unpaid. */
async function refuseUnpaidJobs(stage: RunbookStage) {
  const { product, running, stack } = stage;
  const { jobId } = await stage.create();
  await running.restart('job', 0, { JOB_MOST_UNPAID_JOBS_PER_CLIENT: '1' });
  const body = { tokenAddress: stack.tokens.v2Only, paymentAmount: 0.25 };
  for (let asked = 0; asked < FLOOD; asked++)
    expect(await product.call('POST', '/jobs/create', body)).toMatchObject({ body: { code: 'TOO_MANY_OPEN_JOBS' } });
  return { JOB: jobId };
}

async function isTaken(stage: RunbookStage): Promise<void> {
  await stage.create();
}

/** Faults of clients and webhook endpoints. */
export const EDGE_RUNS: readonly Run[] = [
  { runbook: 'api-keys', alert: 'MakerApiKeysRefused', makeFault: spoilTheKeys, isMended: isLetIn },
  {
    runbook: 'webhooks-not-taken',
    alert: 'MakerWebhooksNotTaken',
    patience: { '> 900': '> 5' },
    makeFault: refuseWebhooks,
    elsewhere: ({ receiver }) => receiver.refuse(0),
    isMended: isNotified,
  },
  {
    runbook: 'unpaid-jobs-refused',
    alert: 'MakerUnpaidJobsRefused',
    patience: { '[10m]': '[1m]' },
    makeFault: refuseUnpaidJobs,
    shows: /pending_payment/,
    blocksBefore: 1,
    elsewhere: ({ running }) => running.restart('job', 0, { JOB_MOST_UNPAID_JOBS_PER_CLIENT: '100000' }),
    isMended: isTaken,
  },
];
