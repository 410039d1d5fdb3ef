import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { postMessage } from './post-message.ts';
import { floods, Receiver } from './receiver.fixture.ts';

const message = { headers: {}, body: '{}' };
const HERE = '127.0.0.1';
const ELSEWHERE = '127.0.0.2';

let here: Receiver;
let elsewhere: Receiver;

beforeEach(async () => {
  here = await new Receiver(undefined, HERE).start();
  elsewhere = await new Receiver(undefined, ELSEWHERE).start();
});

afterEach(async () => {
  await Promise.all([here.stop(), elsewhere.stop()]);
});

/** Posts to a name. Each list answers one DNS lookup of the name. Only the address `here` is allowed. */
async function postTo(...answers: (readonly string[])[]) {
  const url = new URL(here.url);
  url.hostname = 'shop.example';
  let asked = 0;
  const resolve = async () => (answers[asked++] ?? []).map((address) => ({ address, family: 4 }));
  const isAllowed = (address: string) => address === HERE;
  const attempt = await postMessage({ ...message, url }, { timeoutMs: 2000, resolve, isAllowed });
  return { attempt, asked };
}

describe('an address that is not public', () => {
  it.each([
    'http://127.0.0.1:9/',
    'http://[::1]:9/',
    'http://localhost:9/',
    'http://169.254.169.254/',
    'http://2130706433/',
  ])('is not connected to: %s', async (url) => {
    const attempt = await postMessage({ ...message, url: new URL(url) }, { timeoutMs: 2000 });
    expect(attempt).toMatchObject({ outcome: 'private_address' });
    expect(attempt.status).toBeUndefined();
  });

  it('is refused behind names and beside public addresses', async () => {
    for (const addresses of [[ELSEWHERE], [HERE, ELSEWHERE], [ELSEWHERE, HERE], []]) {
      expect((await postTo(addresses)).attempt.outcome).toBe('private_address');
    }
    expect([...here.received, ...elsewhere.received]).toEqual([]);
  });

  it('is resolved once and connected as checked', async () => {
    const { attempt, asked } = await postTo([HERE], [ELSEWHERE]);
    expect(attempt).toMatchObject({ outcome: 'delivered', status: 204 });
    expect(asked).toBe(1);
    expect([here.received.length, elsewhere.received.length]).toEqual([1, 0]);
  });
});

describe('an answer', () => {
  const post = () => postMessage({ ...message, url: new URL(here.url) }, { timeoutMs: 500, isAllowed: () => true });

  it('is judged by its status and read partially', async () => {
    for (const [status, outcome] of [
      [200, 'delivered'],
      [500, 'refused'],
    ] as const) {
      here.behaviour = (response) => {
        response.writeHead(status);
        floods(response);
      };
      expect(await post()).toMatchObject({ outcome, status, answer: 'x'.repeat(1024) });
    }
  });

  it('counts even if it breaks off after its status', async () => {
    here.behaviour = (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('thank');
      setTimeout(() => response.destroy(), 50);
    };
    const attempt = await post();
    expect(attempt).toMatchObject({ outcome: 'delivered', status: 200 });
    expect(attempt.answer).toMatch(/^thank \(the answer broke off/);
  });

  it.each([
    ['120', 120_000],
    ['soon', undefined],
  ])('may ask to wait: Retry-After %s', async (header, expected) => {
    here.behaviour = (response) => response.writeHead(429, { 'retry-after': header }).end();
    const attempt = await post();
    expect(attempt.outcome).toBe('throttled');
    expect(attempt.retryAfterMs).toBe(expected);
  });

  it('may ask to wait until a time', async () => {
    const at = new Date(Date.now() + 60_000);
    here.behaviour = (response) => response.writeHead(503, { 'retry-after': at.toUTCString() }).end();
    const { retryAfterMs = 0 } = await post();
    expect(retryAfterMs).toBeGreaterThan(50_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
  });
});
