import { errorBodySchema } from '@maker/contracts';
import { describe, expect, it } from 'vitest';
import { gatewayForFile, KEY, ORIGIN } from '../gateway-stage.fixture.ts';
import { operatorDocument, visitorDocument } from '../openapi/documents.ts';
import { JOB_ID } from '../service-answers.fixture.ts';
import { services } from '../services.fixture.ts';

const gateway = gatewayForFile();
const { call } = gateway;

describe('access', () => {
  it('answers a missing and a wrong key with 401', async () => {
    const closed = gateway.routes.filter(({ method, url }) => ['GET', 'POST'].includes(method) && !isOpen(url));
    expect(closed.length).toBeGreaterThanOrEqual(8);
    for (const { method, url } of closed) {
      const path = url.replace(':jobId', JOB_ID);
      const request = { method: method as 'GET', url: path, ...(method === 'POST' ? { payload: {} } : {}) };
      const [missing, wrong] = await Promise.all([
        gateway.app.inject(request),
        gateway.app.inject({ ...request, headers: { 'x-api-key': `${KEY}x` } }),
      ]);
      expect([path, missing.statusCode, wrong.statusCode]).toEqual([path, 401, 401]);
      const plain = ({ requestId: _, ...body }: Record<string, unknown>) => body;
      expect(plain(missing.json())).toEqual(plain(wrong.json()));
    }
    expect(services.requests).toEqual([]);
  });

  it('never writes a key to the log', async () => {
    await call('GET', '/stats');
    await gateway.app.inject({ method: 'GET', url: '/stats', headers: { 'x-api-key': 'a-wrong-key' } });
    expect(gateway.logLines.join('')).not.toMatch(new RegExp(`${KEY}|a-wrong-key`));
  });

  it('allows listed origins only, with the headers they need', async () => {
    const preflight = (origin: string) =>
      gateway.app.inject({
        method: 'OPTIONS',
        url: '/jobs/create',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
    const listed = await preflight(ORIGIN);
    expect(listed.headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(String(listed.headers['access-control-allow-headers'])).toBe(
      'content-type, x-api-key, idempotency-key, x-request-id',
    );
    expect((await gateway.app.inject({ method: 'OPTIONS', url: '/stats' })).statusCode).toBe(204);
    const answer = await call('GET', '/stats', { headers: { origin: ORIGIN } });
    expect(String(answer.headers['access-control-expose-headers'])).toContain('x-request-id');
    expect((await preflight('https://evil.example')).headers['access-control-allow-origin']).toBeUndefined();
  });

  it('limits requests with Retry-After, except /healthz', async () => {
    const limited = await gateway.startAnother({ RATE_LIMIT_REQUESTS: '3' });
    await limited.init();
    try {
      const get = (url: string) => limited.inject({ method: 'GET', url, headers: { 'x-api-key': KEY } });
      const answers = [];
      for (let count = 0; count < 4; count += 1) answers.push(await get('/stats'));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429]);
      expect(errorBodySchema.parse(answers[3]?.json())).toMatchObject({ code: 'TOO_MANY_REQUESTS', statusCode: 429 });
      expect(Number(answers[3]?.headers['retry-after'])).toBeGreaterThan(0);
      for (let count = 0; count < 5; count += 1) expect((await get('/healthz')).statusCode).not.toBe(429);
    } finally {
      await limited.close();
    }
  });
});

describe('/openapi.json', () => {
  it('describes every route that the server has, and no other', async () => {
    const documents = [visitorDocument(), operatorDocument()] as { paths: Record<string, object> }[];
    const described = documents.flatMap(({ paths }) =>
      Object.entries(paths).flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
      ),
    );
    const document = (await gateway.app.inject({ method: 'GET', url: '/openapi.json' })).json();
    expect(document).toEqual(JSON.parse(JSON.stringify(documents[0])));
    expect((await call('GET', '/operator/openapi.json')).statusCode).toBe(403);
    const served = gateway.routes
      .filter(({ method }) => method === 'GET' || method === 'POST')
      .map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`);
    expect(described.sort()).toEqual(served.sort());
    expect(document.openapi).toBe('3.1.0');
    expect(document.components.schemas.CreateJobRequest.required).toEqual(['tokenAddress', 'paymentAmount']);
  });
});

function isOpen(url: string): boolean {
  return url === '/healthz' || url === '/openapi.json' || url === '*';
}
