import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { jobStatusChanged, listWebhookEndpoints } from '@maker/contracts';
import { MetricsRegistry } from '@maker/service-kit';
import { describe, expect, it, vi } from 'vitest';
import { accepts, floods, type Identity, Receiver } from '../receiver.fixture.ts';
import {
  ACTIVATED,
  idsOf,
  MINUTE_MS,
  newJob,
  newJobs,
  PATIENT,
  SECOND_MS,
  stageForFile,
} from '../sender-stage.fixture.ts';

const stage = stageForFile(SECOND_MS);
const { allDelivered, attempted, deliveries, endpoints, laterBy, now } = stage;

describe('a receiver with a fault', () => {
  /** Publishes an event during the fault, ends the fault, and expects one delivery with one id and content. */
  async function expectOutlived(outcome: string, mend: () => void | Promise<void>) {
    await stage.job.publish(jobStatusChanged, newJob(), ACTIVATED);
    const attempt = await attempted(outcome);
    const [waiting] = await deliveries();
    expect(waiting?.state).toBe('waiting');
    await mend();
    // On a busy machine, attempts that timed out may come first, so that the pause is longer.
    laterBy(Date.parse(waiting?.nextAttemptAt ?? '') - now());
    await allDelivered(1);
    const [delivery] = await deliveries();
    expect(delivery?.log.map((each) => each.outcome).at(-1)).toBe('delivered');
    expect(new Set(stage.receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(idsOf(stage.receiver)).toEqual([delivery?.eventId]);
    return attempt;
  }

  const behaveAgain = () => {
    stage.receiver.behaviour = accepts;
  };

  it.each([
    [500, 'refused'],
    [404, 'refused'],
    [410, 'gone'],
  ])('receives later after answering %i', async (status, outcome) => {
    stage.receiver.behaviour = (response) => response.writeHead(status).end('not today');
    expect(await expectOutlived(outcome, behaveAgain)).toMatchObject({ status, answer: 'not today' });
  });

  it('receives later after a redirect, which is not followed', async () => {
    const elsewhere = await new Receiver().start();
    stage.receiver.behaviour = (response) => response.writeHead(307, { location: elsewhere.url }).end();
    await expectOutlived('redirected', behaveAgain);
    expect(elsewhere.received).toEqual([]);
    await elsewhere.stop();
  });

  it('is given the time it requests', async () => {
    stage.receiver.behaviour = (response) => response.writeHead(429, { 'retry-after': '3600' }).end();
    await stage.job.publish(jobStatusChanged, newJob(), ACTIVATED);
    await attempted('throttled');
    // On a busy machine, attempts that timed out may come first.
    const before = stage.receiver.received.length;
    laterBy(59 * MINUTE_MS);
    behaveAgain();
    await vi.waitFor(async () => {
      const [{ nextAttemptAt = '' } = {}] = await deliveries();
      expect(Date.parse(nextAttemptAt) - now()).toBeLessThan(MINUTE_MS);
    }, PATIENT);
    expect(stage.receiver.received).toHaveLength(before);
    laterBy(2 * MINUTE_MS);
    await allDelivered(1);
  });

  it('receives later after a timeout', async () => {
    stage.receiver.behaviour = () => undefined;
    expect(await expectOutlived('timeout', behaveAgain)).toMatchObject({ answer: 'no answer in time' });
  });

  it('receives later after broken connections', async () => {
    stage.receiver.behaviour = (_, request) => request.socket.resetAndDestroy();
    await expectOutlived('unreachable', behaveAgain);
  });

  it('costs one kilobyte with an endless answer', async () => {
    stage.receiver.behaviour = (response) => {
      response.writeHead(503);
      floods(response);
    };
    expect((await expectOutlived('refused', behaveAgain))?.answer).toHaveLength(1024);
  });

  it('receives once its certificate is valid', async () => {
    const [wrong, right] = [newIdentity(stage.folder, 'wrong'), newIdentity(stage.folder, 'right')];
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, right.cert]);
    await stage.receiver.stop();
    stage.receiver = await new Receiver(wrong, '127.0.0.1').start();
    await endpoints({ name: stage.shop, url: stage.receiver.url, secrets: [stage.secret] });
    await expectOutlived('certificate', async () => {
      expect(stage.receiver.received).toEqual([]);
      await stage.receiver.stop();
      await stage.receiver.start(right);
    });
    setDefaultCACertificates(trusted);
  });

  it('receives an hour’s backlog within a minute', async () => {
    await stage.receiver.stop();
    for (let minute = 0; minute < 60; minute += 20) {
      await stage.job.publish(jobStatusChanged, newJobs(10), ACTIVATED);
      laterBy(20 * MINUTE_MS);
      const expected = (minute / 20 + 1) * 10;
      await vi.waitFor(async () => {
        const found = await deliveries();
        expect(found.filter(({ log }) => log.at(-1)?.outcome === 'unreachable')).toHaveLength(expected);
      }, PATIENT);
    }
    const [seen] = (await stage.job.ask(listWebhookEndpoints, {})).endpoints.filter(({ name }) => name === stage.shop);
    expect(seen).toMatchObject({ waiting: 30, host: new URL(stage.receiver.url).host });
    expect(now() - Date.parse(seen?.failingSince ?? '')).toBeGreaterThan(39 * MINUTE_MS);
    const metrics = await stage.senders[0]?.get(MetricsRegistry).metrics();
    expect(metrics).toContain('maker_webhook_waiting_messages 30');
    expect(Number(/maker_webhook_oldest_waiting_seconds (\d+)/.exec(metrics ?? '')?.[1])).toBeGreaterThan(39 * 60);
    await stage.receiver.start();
    await stage.job.publish(jobStatusChanged, newJob(), ACTIVATED);
    await vi.waitFor(async () => {
      const due = (await deliveries()).map(({ nextAttemptAt }) => Date.parse(nextAttemptAt ?? '') - now());
      expect(due.filter((ms) => ms > MINUTE_MS)).toEqual([]);
    }, PATIENT);
    laterBy(MINUTE_MS);
    await allDelivered(31);
    expect(idsOf(stage.receiver)).toHaveLength(31);
  });

  it('delays no other endpoint when slow', async () => {
    const quick = await new Receiver().start();
    stage.receiver.behaviour = () => undefined;
    const named = `quick-${stage.shop}`;
    await endpoints(
      { name: stage.shop, url: stage.receiver.url, secrets: [stage.secret] },
      { name: named, url: quick.url, secrets: [stage.secret] },
    );
    laterBy(SECOND_MS);
    await stage.job.publish(jobStatusChanged, newJobs(50), ACTIVATED);
    await vi.waitFor(() => expect(idsOf(quick)).toHaveLength(50), PATIENT);
    expect((await deliveries()).filter(({ state }) => state === 'waiting').length).toBeGreaterThan(0);
    behaveAgain();
    // Some messages still wait for their first answer; each of them fails once more.
    await vi.waitFor(async () => {
      laterBy(MINUTE_MS);
      expect((await deliveries()).filter(({ state }) => state === 'waiting')).toEqual([]);
    }, PATIENT);
    await allDelivered(50);
    expect(idsOf(stage.receiver)).toEqual(idsOf(quick));
    await quick.stop();
  });
});

/** Creates a self-signed certificate for localhost. */
function newIdentity(within: string, name: string): Identity {
  const [key, cert] = [join(within, `${name}.key`), join(within, `${name}.pem`)];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', ...made, ...subject], { stdio: 'ignore' });
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}
