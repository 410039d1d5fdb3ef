import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SignedCommand } from '@maker/contracts';
import { ALL_SERVICES, type RunningStack, type ServiceName, startStack } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import { signCommand } from '@maker/signing/commands';
import { connect } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';
import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answeredTo,
  type GuardedServer,
  passwordOf,
  startGuardedMongo,
  startGuardedNats,
} from '../support/guarded-servers.ts';
import { ProductClient } from '../support/product-client.ts';
import { until } from '../support/until.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

const JOB_MS = 280_000;

let nats: GuardedServer & { url: string };
let mongo: GuardedServer & { urlOf(service: ServiceName): string };
let running: RunningStack;
let receiver: WebhookReceiver;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maker-guarded-'));
  [nats, mongo, receiver] = await Promise.all([startGuardedNats(), startGuardedMongo(), WebhookReceiver.start()]);
  const environments = await Promise.all(
    ALL_SERVICES.map(async (service) => {
      const passwordFile = join(folder, `${service}.password`);
      await writeFile(passwordFile, passwordOf(service), { mode: 0o400 });
      const environment: Record<string, string> = {
        NATS_URL: nats.url,
        NATS_PASSWORD_FILE: passwordFile,
        MONGO_URL: mongo.urlOf(service),
        ...(service === 'job' ? { JOB_EXECUTION_WINDOW_SECONDS: '20' } : {}),
      };
      return [service, environment] as const;
    }),
  );
  const environment = Object.fromEntries(environments);
  running = await startStack({
    directory: join(folder, 'stack'),
    ports: 'free',
    parts: 'services',
    environment,
    webhookEndpointsFile: receiver.endpointsFile,
  });
}, 300_000);

afterAll(async () => {
  await running?.stop();
  await Promise.all([nats?.stop(), mongo?.stop(), receiver?.stop()]);
  await rm(folder, { recursive: true, force: true });
});

describe('with the users of k8s/nats and k8s/mongodb', () => {
  it('completes a job without a refusal', { timeout: JOB_MS }, async () => {
    const product = new ProductClient(running.stack);
    const job = await product.createJob(running.stack.tokens.both as Address, 0.25);
    await product.pay(job.paymentAddress, '0.25');
    await product.completed(job.jobId, { timeoutMs: JOB_MS });
    expect((await product.status(job.jobId)).receipt).toMatchObject({ heldWei: '0' });
    const hasEndWebhook = async () =>
      [...receiver.contents.values()].some(([body = '']) => body.includes('"to":"completed"'));
    await until('the webhook of the end', hasEndWebhook, (isReceived) => isReceived);
    expect(await product.operate('GET', '/webhooks')).toMatchObject({ endpoints: [{ name: 'receiver' }] });
    // A scrape makes some metrics read the servers.
    for (const ops of Object.values(running.stack.ops)) expect((await fetch(`${ops}/metrics`)).status).toBe(200);
    const log = await readFile(nats.logFile, 'utf8');
    expect(new Set([...log.matchAll(/Violation - .*/g)].map(([line]) => line))).toEqual(new Set());
  });

  it('gateway and operator key move no wei', { timeout: JOB_MS }, async () => {
    const product = new ProductClient(running.stack);
    const job = await product.createJob(running.stack.tokens.both as Address, 0.25);
    await product.pay(job.paymentAddress, '0.03');
    const received = () => product.payment(job.jobId).then(({ receivedWei }) => receivedWei);
    await until('the payment', received, (wei) => wei !== '0', { timeoutMs: JOB_MS });
    const balance = () => product.chain.getBalance({ address: job.paymentAddress as Address });
    const before = await balance();
    const onHyperCore = parseHype('0.02');
    await product.control.core.credit(job.paymentAddress as Address, onHyperCore);
    const { jobId } = job;
    const thief = '0x0bad0bad0bad0bad0bad0bad0bad0bad0bad0bad';
    const own = generateKeyPairSync('ed25519').privateKey;
    const forge = (fields: object): SignedCommand => {
      const { text } = product.signed({ action: 'cancel', jobId, ...fields });
      return { text, signatures: [{ operator: 'operator', signature: signCommand(text, own) }] };
    };
    const commands = [
      forge({}),
      forge({ action: 'release', to: thief, amountWei: '0' }),
      forge({ action: 'return', amountWei: '0' }),
      forge(await product.hyperCoreReturn(jobId, thief, onHyperCore)),
    ];
    const connection = await connect({ servers: nats.url, user: 'api-gateway', pass: passwordOf('api-gateway') });
    try {
      const request = (subject: string, data: object) =>
        connection
          .request(
            subject,
            JSON.stringify({ pattern: subject, data, id: '1' }),
            answeredTo('api-gateway', subject, 2000),
          )
          .then((answer) => answer.string())
          .catch((error: Error) => error.message);
      for (const signed of commands) {
        expect(await request('maker-executor.command.carry_out', signed)).toMatch(/COMMAND_REFUSED/);
        await expect(product.operate('POST', '/commands', signed)).rejects.toThrow(/COMMAND_REFUSED/);
      }
    } finally {
      await connection.close();
    }
    expect(await balance()).toBe(before);
    expect(await product.control.core.balanceWei(job.paymentAddress as Address)).toBe(onHyperCore);
    expect((await product.payment(jobId)).status).toBe('pending_payment');
    // The operators themselves may cancel, once.
    const cancel = product.signed({ action: 'cancel', jobId }, 1);
    await product.operate('POST', '/commands', cancel);
    await expect(product.operate('POST', '/commands', cancel)).rejects.toThrow(/COMMAND_REFUSED/);
    await until('the return', balance, (wei) => wei === 0n, { timeoutMs: JOB_MS });
  });

  it('rejects a login without a password', async () => {
    await expect(connect({ servers: nats.url, reconnect: false })).rejects.toThrow(/authorization/i);
  });

  it('lets each service use its database only', async () => {
    const client = new MongoClient(mongo.urlOf('job'));
    try {
      expect(await client.db('job').collection('jobs').countDocuments()).toBeGreaterThan(0);
      await expect(client.db('maker_executor').collection('transactions').findOne()).rejects.toThrow(/not authorized/);
      await expect(client.db('payment_watcher').collection('deposits').insertOne({})).rejects.toThrow(/not authorized/);
    } finally {
      await client.close();
    }
  });
});
