import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import {
  jobActivated,
  jobStatusChanged,
  listWebhookDeliveries,
  listWebhookEndpoints,
  redeliverWebhooks,
} from '@maker/contracts';
import { type MongoPart, type NatsPart, startMongo, startNats } from '@maker/local-stack';
import { Connection, inTransaction } from '@maker/persistence';
import { MetricsRegistry } from '@maker/service-kit';
import type { INestMicroservice } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Outcome } from './delivery/attempt.ts';
import { DeliveriesRepository } from './delivery/deliveries.repository.ts';
import { WatchedEndpoints } from './endpoint/watched-endpoints.ts';
import { floods, type Identity, Receiver, takes } from './receiver.fixture.ts';
import { FakeJobService, type Servers, startSender } from './webhook-sender.fixture.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** An attempt that a busy machine did not answer in time is made again after pauses that grow. */
const patient = { timeout: 40_000, interval: 50 };
const ACTIVATED = { from: 'pending_payment', to: 'active' } as const;

let folder: string;
let mongo: MongoPart;
let nats: NatsPart;
let servers: Servers;
let job: FakeJobService;
let receiver: Receiver;
let secret: string;
let shop: string;
let round = 0;
const senders: INestMicroservice[] = [];

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const newJob = () => `job_${randomBytes(16).toString('hex')}`;

/** The clock of sender and receiver alike; the library of the specification looks at the time as well. */
const realNow = Date.now.bind(Date);
let shiftMs = 0;
const laterBy = (ms: number) => {
  shiftMs += ms;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maker-webhooks-'));
  [mongo, nats] = await Promise.all([startMongo(), startNats()]);
  servers = {
    natsUrl: nats.url,
    senderMongoUrl: mongo.urlOf('webhook_sender'),
    jobMongoUrl: mongo.urlOf('job'),
    endpointsFile: join(folder, 'endpoints.json'),
  };
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + shiftMs);
  writeFileSync(servers.endpointsFile, '[]');
  job = await FakeJobService.start(servers);
  senders.push(await startSender(servers));
});

afterAll(async () => {
  await Promise.all(senders.map((sender) => sender.close()));
  await job?.stop();
  await Promise.all([mongo?.stop(), nats?.stop()]);
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  receiver = await new Receiver().start();
  secret = newSecret();
  shop = `shop-${round++}`;
  await endpoints({ name: shop, url: receiver.url, secrets: [secret] });
});

afterEach(async () => {
  await receiver.stop();
});

const reload = () => Promise.all(senders.map((sender) => sender.get(WatchedEndpoints).reload()));

async function endpoints(...listed: object[]): Promise<void> {
  writeFileSync(servers.endpointsFile, JSON.stringify(listed));
  await reload();
}

const deliveries = async (endpoint = shop) =>
  (await job.ask(listWebhookDeliveries, { endpoint, limit: 100 })).deliveries;

const idsTaken = ({ asked }: Receiver) => [...new Set(asked.map(({ id }) => id))].sort();

/** Waits until all that is for the shop is delivered. @param count of how many messages */
async function allDelivered(count: number): Promise<void> {
  await vi.waitFor(async () => {
    const found = await deliveries();
    expect(found.map(({ state }) => state)).toEqual(Array.from({ length: count }, () => 'delivered'));
  }, patient);
}

/** Waits for an attempt that failed. @returns the first of its kind in the log */
function attempted(outcome: string) {
  return vi.waitFor(async () => {
    const found = (await deliveries()).flatMap(({ log }) => log).find((attempt) => attempt.outcome === outcome);
    expect(found).toBeDefined();
    return found;
  }, patient);
}

describe('an endpoint', () => {
  it('receives each of its changes once, signed', async () => {
    const jobId = newJob();
    await job.tell(jobActivated, jobId, {
      tokenAddress: '0x1',
      walletAddress: '0x2',
      walletIndex: 7,
      depositWei: '500000000000000000',
      returnAddress: null,
    });
    await allDelivered(1);
    expect(receiver.asked).toHaveLength(1);
    const [{ body, headers } = { body: '', headers: {} }] = receiver.asked;
    expect(headers).toMatchObject({ 'content-type': 'application/json' });
    const { timestamp, ...told } = new Webhook(secret).verify(body, headers) as Record<string, unknown>;
    expect(Date.parse(String(timestamp))).toBeLessThanOrEqual(Date.now());
    expect(told).toEqual({
      type: 'job.activated',
      data: {
        jobId,
        tokenAddress: '0x1',
        walletAddress: '0x2',
        depositWei: '500000000000000000',
        returnAddress: null,
      },
    });
  });

  it('receives from one of several replicas', async () => {
    senders.push(await startSender(servers));
    await job.tell(jobStatusChanged, newJob(), ACTIVATED, 40);
    await allDelivered(40);
    // Whatever a busy machine did not answer in time is asked again.
    const answers = (await deliveries()).map(({ log }) => log.filter(({ outcome }) => outcome === 'delivered').length);
    expect(answers).toEqual(Array.from({ length: 40 }, () => 1));
    expect(idsTaken(receiver)).toHaveLength(40);
    await senders.pop()?.close();
  });

  it('receives from its naming until its removal', async () => {
    const second = await new Receiver().start();
    await job.tell(jobStatusChanged, newJob(), ACTIVATED);
    await allDelivered(1);
    laterBy(SECOND_MS);
    const added = `second-${shop}`;
    const first = { name: shop, url: receiver.url, secrets: [secret] };
    await endpoints(first, { name: added, url: second.url, secrets: [newSecret()] });
    await job.tell(jobStatusChanged, newJob(), ACTIVATED);
    await allDelivered(2);
    await vi.waitFor(() => expect(second.asked).toHaveLength(1), patient);
    await endpoints(first);
    laterBy(11 * MINUTE_MS);
    await reload();
    await job.tell(jobStatusChanged, newJob(), ACTIVATED);
    await allDelivered(3);
    expect(await deliveries(added)).toHaveLength(1);
    await second.stop();
  });

  it('rotates its secret without an unverifiable message', async () => {
    const next = newSecret();
    const lastBy = async (...secrets: string[]) => {
      await endpoints({ name: shop, url: receiver.url, secrets });
      const before = receiver.asked.length;
      await job.tell(jobStatusChanged, newJob(), ACTIVATED);
      await vi.waitFor(() => expect(receiver.asked.length).toBe(before + 1), patient);
      const { body = '', headers = {} } = receiver.asked.at(-1) ?? {};
      return (key: string) => new Webhook(key).verify(body, headers);
    };
    const verifyBoth = await lastBy(secret, next);
    for (const key of [secret, next]) expect(verifyBoth(key)).toMatchObject({ type: 'job.status_changed' });
    const verifyNew = await lastBy(next);
    expect(() => verifyNew(secret)).toThrow('No matching signature');
    expect(verifyNew(next)).toMatchObject({ type: 'job.status_changed' });
  });

  it('keeps the old file when broken, with a metric', async () => {
    writeFileSync(servers.endpointsFile, '[{"name": "hunter2');
    await reload();
    const metrics = () => senders[0]?.get(MetricsRegistry).metrics();
    expect(await metrics()).toContain('maker_webhook_endpoint_file_refused 1');
    await job.tell(jobStatusChanged, newJob(), ACTIVATED);
    await allDelivered(1);
    await endpoints({ name: shop, url: receiver.url, secrets: [secret] });
    expect(await metrics()).toContain('maker_webhook_endpoint_file_refused 0');
  });
});

describe('a receiver with a fault', () => {
  /** Tells something during the fault, ends the fault, and finds it told: under one id and with one content. */
  async function outlives(outcome: string, mend: () => void | Promise<void>, waitMs = 5 * SECOND_MS) {
    await job.tell(jobStatusChanged, newJob(), ACTIVATED);
    const attempt = await attempted(outcome);
    expect((await deliveries())[0]?.state).toBe('waiting');
    await mend();
    laterBy(waitMs);
    await allDelivered(1);
    const [delivery] = await deliveries();
    expect(delivery?.log.map((each) => each.outcome).at(-1)).toBe('delivered');
    expect(new Set(receiver.asked.map(({ body }) => body)).size).toBe(1);
    expect(idsTaken(receiver)).toEqual([delivery?.eventId]);
    return attempt;
  }

  const behaveAgain = () => {
    receiver.behaviour = takes;
  };

  it.each([
    [500, 'refused'],
    [404, 'refused'],
    [410, 'gone'],
  ])('receives later after answering %i', async (status, outcome) => {
    receiver.behaviour = (response) => response.writeHead(status).end('not today');
    expect(await outlives(outcome, behaveAgain)).toMatchObject({ status, answer: 'not today' });
  });

  it('that leads elsewhere is not followed', async () => {
    const elsewhere = await new Receiver().start();
    receiver.behaviour = (response) => response.writeHead(307, { location: elsewhere.url }).end();
    await outlives('redirected', behaveAgain);
    expect(elsewhere.asked).toEqual([]);
    await elsewhere.stop();
  });

  it('is given the time it requests', async () => {
    receiver.behaviour = (response) => response.writeHead(429, { 'retry-after': '3600' }).end();
    await job.tell(jobStatusChanged, newJob(), ACTIVATED);
    await attempted('throttled');
    laterBy(59 * MINUTE_MS);
    behaveAgain();
    await vi.waitFor(async () => {
      const [{ nextAttemptAt = '' } = {}] = await deliveries();
      expect(Date.parse(nextAttemptAt) - Date.now()).toBeLessThan(MINUTE_MS);
    }, patient);
    expect(receiver.asked).toHaveLength(1);
    laterBy(2 * MINUTE_MS);
    await allDelivered(1);
  });

  it('that never answers is given up for now', async () => {
    receiver.behaviour = () => undefined;
    expect(await outlives('timeout', behaveAgain)).toMatchObject({ answer: 'no answer in time' });
  });

  it('receives later after broken connections', async () => {
    receiver.behaviour = (_, request) => request.socket.resetAndDestroy();
    await outlives('unreachable', behaveAgain);
  });

  it('that answers without end costs a kilobyte', async () => {
    receiver.behaviour = (response) => {
      response.writeHead(503);
      floods(response);
    };
    expect((await outlives('refused', behaveAgain))?.answer).toHaveLength(1024);
  });

  it('receives once its certificate is valid', async () => {
    const [wrong, right] = [newIdentity(folder, 'wrong'), newIdentity(folder, 'right')];
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, right.cert]);
    await receiver.stop();
    receiver = await new Receiver(wrong, '127.0.0.1').start();
    await endpoints({ name: shop, url: receiver.url, secrets: [secret] });
    await outlives('certificate', async () => {
      expect(receiver.asked).toEqual([]);
      await receiver.stop();
      await receiver.start(right);
    });
    setDefaultCACertificates(trusted);
  });

  it('receives an hour’s backlog within a minute', async () => {
    await receiver.stop();
    for (let minute = 0; minute < 60; minute += 20) {
      await job.tell(jobStatusChanged, newJob(), ACTIVATED, 10);
      laterBy(20 * MINUTE_MS);
      const expected = (minute / 20 + 1) * 10;
      await vi.waitFor(async () => {
        const found = await deliveries();
        expect(found.filter(({ log }) => log.at(-1)?.outcome === 'unreachable')).toHaveLength(expected);
      }, patient);
    }
    const [seen] = (await job.ask(listWebhookEndpoints, {})).endpoints.filter(({ name }) => name === shop);
    expect(seen).toMatchObject({ waiting: 30, host: new URL(receiver.url).host });
    expect(Date.now() - Date.parse(seen?.failingSince ?? '')).toBeGreaterThan(39 * MINUTE_MS);
    const metrics = await senders[0]?.get(MetricsRegistry).metrics();
    expect(metrics).toContain('maker_webhook_waiting_messages 30');
    expect(Number(/maker_webhook_oldest_waiting_seconds (\d+)/.exec(metrics ?? '')?.[1])).toBeGreaterThan(39 * 60);
    await receiver.start();
    await job.tell(jobStatusChanged, newJob(), ACTIVATED);
    await vi.waitFor(async () => {
      const due = (await deliveries()).map(({ nextAttemptAt }) => Date.parse(nextAttemptAt ?? '') - Date.now());
      expect(due.filter((ms) => ms > MINUTE_MS)).toEqual([]);
    }, patient);
    laterBy(MINUTE_MS);
    await allDelivered(31);
    expect(idsTaken(receiver)).toHaveLength(31);
  });

  it('delays no other endpoint when slow', async () => {
    const quick = await new Receiver().start();
    receiver.behaviour = () => undefined;
    const named = `quick-${shop}`;
    await endpoints(
      { name: shop, url: receiver.url, secrets: [secret] },
      { name: named, url: quick.url, secrets: [secret] },
    );
    laterBy(SECOND_MS);
    await job.tell(jobStatusChanged, newJob(), ACTIVATED, 50);
    await vi.waitFor(() => expect(idsTaken(quick)).toHaveLength(50), patient);
    expect((await deliveries()).filter(({ state }) => state === 'waiting').length).toBeGreaterThan(0);
    behaveAgain();
    // Some wait for their first answer still; each of those fails once more.
    await vi.waitFor(async () => {
      laterBy(MINUTE_MS);
      expect((await deliveries()).filter(({ state }) => state === 'waiting')).toEqual([]);
    }, patient);
    await allDelivered(50);
    expect(idsTaken(receiver)).toEqual(idsTaken(quick));
    await quick.stop();
  });
});

describe('nothing is lost', () => {
  it('is retried under the same id after a crash', async () => {
    receiver.behaviour = (response) => response.writeHead(500).end();
    await job.tell(jobStatusChanged, newJob(), ACTIVATED);
    await attempted('refused');
    // Begun by somebody who is no longer there; nobody else looks at this endpoint meanwhile.
    await endpoints();
    laterBy(5 * SECOND_MS);
    expect(await senders[0]?.get(DeliveriesRepository).begin(shop)).toBeDefined();
    await endpoints({ name: shop, url: receiver.url, secrets: [secret] });
    receiver.behaviour = takes;
    laterBy(MINUTE_MS);
    await allDelivered(1);
    expect(idsTaken(receiver)).toHaveLength(1);
  });

  /** A message for an endpoint that nobody looks at by itself. */
  async function unwatched() {
    const [sender] = senders;
    if (!sender) throw new Error('no sender');
    const rows = sender.get(DeliveriesRepository);
    const [endpoint, eventId] = [`unwatched-${shop}`, randomUUID()];
    const message = { id: eventId, type: 'job.status_changed', jobId: newJob(), occurredAt: new Date(), body: '{}' };
    await inTransaction(sender.get(Connection), (session) => rows.record(message, [endpoint], session));
    laterBy(SECOND_MS);
    const begin = async () => {
      const row = await rows.begin(endpoint);
      if (!row) throw new Error('nothing is due');
      return row;
    };
    return { rows, endpoint, eventId, begin };
  }

  const attemptOf = (outcome: Outcome) => ({ outcome, answer: '', tookMs: 1 });

  it('is attempted once per id despite clock skew', async () => {
    const { rows, endpoint, eventId, begin } = await unwatched();
    expect(await begin()).toMatchObject({ eventId, attempts: 1 });
    laterBy(-SECOND_MS);
    await rows.wake(endpoint);
    laterBy(SECOND_MS);
    expect(await rows.begin(endpoint)).toBeUndefined();
  });

  it.each(['delivered', 'refused'] as const)('is resent after an attempt that was %s', async (outcome) => {
    const { rows, endpoint, eventId, begin } = await unwatched();
    const underWay = await begin();
    expect(await rows.redeliver(endpoint, { eventId })).toBe(1);
    expect(await rows.begin(endpoint)).toBeUndefined();
    await rows.end(underWay, attemptOf(outcome));
    const again = await begin();
    expect(again).toMatchObject({ eventId, attempts: 1 });
    await rows.end(again, attemptOf('delivered'));
    const [row] = await rows.list({ endpoint, limit: 1 });
    expect(row?.state).toBe('delivered');
    expect(row?.log.map((each) => each.outcome)).toEqual([outcome, 'delivered']);
    expect(await rows.begin(endpoint)).toBeUndefined();
  });

  it('is resent once during an endless attempt', async () => {
    const { rows, endpoint, eventId, begin } = await unwatched();
    const lost = await begin();
    await rows.redeliver(endpoint, { eventId });
    laterBy(2 * MINUTE_MS);
    const again = await begin();
    // The first one was not dead after all: it says nothing of the one that the operator wanted.
    await rows.end(lost, attemptOf('refused'));
    laterBy(10 * SECOND_MS);
    expect(await rows.begin(endpoint)).toBeUndefined();
    await rows.end(again, attemptOf('delivered'));
    expect(await rows.list({ endpoint, limit: 1 })).toMatchObject([{ state: 'delivered' }]);
    laterBy(2 * MINUTE_MS);
    expect(await rows.begin(endpoint)).toBeUndefined();
  });

  it('though attempts fail for days', async () => {
    receiver.behaviour = (response) => response.writeHead(500).end();
    await job.tell(jobStatusChanged, newJob(), ACTIVATED);
    for (let attempts = 1; attempts <= 14; attempts++) {
      await vi.waitFor(() => expect(receiver.asked).toHaveLength(attempts), patient);
      await vi.waitFor(async () => expect((await deliveries())[0]?.log).toHaveLength(attempts), patient);
      if (attempts === 14) receiver.behaviour = takes;
      laterBy(12 * HOUR_MS);
    }
    await allDelivered(1);
    expect(new Set(receiver.asked.map(({ body }) => body)).size).toBe(1);
  });
});

describe('an operator', () => {
  it('is resent with its id and content', async () => {
    await job.tell(jobStatusChanged, newJob(), ACTIVATED, 3);
    await allDelivered(3);
    const [{ id, body } = { id: '', body: '' }] = receiver.asked;
    const { outcome } = await job.ask(redeliverWebhooks, { endpoint: shop, eventId: id });
    expect(outcome).toBe(`1 message to ${shop} will be sent again`);
    await vi.waitFor(() => expect(receiver.asked).toHaveLength(4), patient);
    expect(receiver.asked.at(-1)).toMatchObject({ id, body });
  });

  it('has all since a time sent again', async () => {
    await job.tell(jobStatusChanged, newJob(), ACTIVATED, 2);
    await allDelivered(2);
    laterBy(MINUTE_MS);
    const since = new Date(Date.now()).toISOString();
    await job.tell(jobStatusChanged, newJob(), ACTIVATED, 2);
    await allDelivered(4);
    await job.ask(redeliverWebhooks, { endpoint: shop, since });
    await vi.waitFor(() => expect(receiver.asked).toHaveLength(6), patient);
    expect(idsTaken(receiver)).toHaveLength(4);
  });

  it('hears what cannot be sent again', async () => {
    const eventId = '0f5c2f4e-8f1e-4f8e-9d8e-3b0c3a1f2d4e';
    await expect(job.ask(redeliverWebhooks, { endpoint: 'nobody', eventId })).rejects.toMatchObject({
      code: 'NOT_POSSIBLE_NOW',
    });
    await expect(job.ask(redeliverWebhooks, { endpoint: shop, eventId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('sees no more of an endpoint than its host', async () => {
    const answer = JSON.stringify(await job.ask(listWebhookEndpoints, {}));
    expect(answer).toContain(new URL(receiver.url).host);
    expect(answer).not.toMatch(/hidden|whsec_/);
  });
});

/** A certificate for localhost that signs itself. */
function newIdentity(within: string, name: string): Identity {
  const [key, cert] = [join(within, `${name}.key`), join(within, `${name}.pem`)];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', ...made, ...subject], { stdio: 'ignore' });
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}
