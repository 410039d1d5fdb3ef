import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NatsPart, startNats } from '@maker/local-stack';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGateway, writeApiKeys } from '../gateway.fixture.ts';

/** The gateway's time limit for a whole request, and the tolerance for a busy machine, ms. */
const GIVEN_MS = 10_000;
const LATE_MS = 5_000;

let broker: NatsPart;
let gateway: NestFastifyApplication;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-unfinished-'));
  broker = await startNats();
  const keysFile = writeApiKeys(folder, [{ key: 'a-key', name: 'web', scopes: ['public'] }]);
  gateway = await createGateway({ NATS_URL: broker.url, API_KEYS_FILE: keysFile });
  await gateway.listen(0, '127.0.0.1');
});

afterAll(async () => {
  await gateway?.close();
  await broker?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const serverOf = (app: NestFastifyApplication): Server => app.getHttpServer() as Server;

/** Sends a text. @returns time until the gateway closed the connection, ms, and its answer */
async function closedAfter(text: string): Promise<{ readonly closedMs: number; readonly answer: string }> {
  const { port } = serverOf(gateway).address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  await once(socket, 'connect');
  const beganAt = performance.now();
  if (text) socket.write(text);
  let answer = '';
  socket.on('data', (part: string) => {
    answer += part;
  });
  await once(socket, 'close');
  return { closedMs: performance.now() - beganAt, answer };
}

describe('a request that never ends', () => {
  it('has limits that Node does not swap', () => {
    const { headersTimeout, requestTimeout } = serverOf(gateway);
    expect({ headersTimeout, requestTimeout }).toEqual({ headersTimeout: GIVEN_MS, requestTimeout: GIVEN_MS });
  });

  it.concurrent.each([
    ['its headers', 'GET /stats HTTP/1.1\r\nhost: gateway\r\n'],
    [
      'its body',
      'POST /plan HTTP/1.1\r\nhost: gateway\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{',
    ],
  ])('is closed after 10 s without the rest of %s', async (_part, text) => {
    const { closedMs, answer } = await closedAfter(text);
    expect(closedMs).toBeGreaterThan(GIVEN_MS - 1000);
    expect(closedMs).toBeLessThan(GIVEN_MS + LATE_MS);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('"message":"The rest of the request did not arrive within 10 s"');
  });

  // A browser may send its first request on a spare connection just then: it would take any answer for that of its request.
  it.concurrent('is closed without an answer before its first byte', async () => {
    expect(await closedAfter('')).toMatchObject({ answer: '' });
  });
});
