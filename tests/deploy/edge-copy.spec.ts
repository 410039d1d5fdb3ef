import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { services } from '../../apps/api-gateway/src/services.fixture.ts';
import { API_KEY, type GatewayBehindProxies, startGatewayBehindProxies } from './proxies/gateway-behind-proxies.ts';
import { startNginx } from './proxies/nginx.ts';
import type { RunningProxy } from './proxies/running-proxy.ts';

const EDGE = fileURLToPath(new URL('../../k8s/edge', import.meta.url));
const ORIGIN = 'https://bot.example';
const VISITORS = 200;
const KEPT_MS = 5000;
const STATS = /^maker_http_requests_total\{method="GET",route="\/stats",status="(?:200|304)"\} (\d+)$/gm;

let gateway: GatewayBehindProxies;
let edge: RunningProxy;

beforeAll(async () => {
  gateway = await startGatewayBehindProxies(ORIGIN);
  const part = (name: string) => readFile(join(EDGE, name), 'utf8');
  const [http, server] = await Promise.all([part('figures.http.conf'), part('figures.server.conf')]);
  edge = await startNginx(gateway.port, { http, server });
});

afterAll(async () => {
  await edge?.stop();
  await gateway?.stop();
});

const visit = (path = '/stats', headers: Record<string, string> = {}) =>
  fetch(`${edge.url}${path}`, { headers: { 'x-api-key': API_KEY, origin: ORIGIN, ...headers } });

/** Number of figures that the gateway answered. */
async function asked(): Promise<number> {
  return [...(await gateway.metrics()).matchAll(STATS)].reduce((sum, [, count]) => sum + Number(count), 0);
}

describe('the landing pageâs figures behind the nginx of k8s/edge', () => {
  it('cost the gateway one request per five seconds', async () => {
    const [before, beganMs] = [await asked(), Date.now()];
    const answers = await Promise.all(
      Array.from({ length: VISITORS }, (_, number) =>
        visit(`/stats?visitor=${number}`, { 'x-request-id': `visitor-${number}` }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    for (const answer of answers) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(answer.headers.get('x-request-id')).toBeNull();
      expect(await answer.json()).toMatchObject({ jobs: { active: 3 } });
    }
    // More than one only if two hundred requests took longer than five seconds.
    expect((await asked()) - before).toBeLessThanOrEqual(1 + Math.ceil((Date.now() - beganMs) / KEPT_MS));
    expect((await asked()) - before).toBeLessThan(VISITORS / 10);
  });

  it('are revalidated and survive an API outage', async () => {
    await (await visit()).text();
    const before = await asked();
    let visitors = 0;
    const again = async () => {
      visitors += 1;
      expect((await visit()).status).toBe(200);
      return asked();
    };
    await expect.poll(again, { timeout: 60_000, interval: 20 }).toBeGreaterThan(before);
    expect(visitors).toBeGreaterThan(5);
    expect(await gateway.metrics()).toMatch(/route="\/stats",status="304"\} [1-9]/);
    services.refusing = { subject: 'job.stats.get', code: 'SERVICE_UNAVAILABLE' };
    await expect.poll(async () => (await visit()).headers.get('x-cache-status'), { timeout: 60_000 }).toBe('STALE');
    expect(await (await visit()).json()).toMatchObject({ jobs: { active: 3 } });
    services.refusing = undefined;
  });

  it('need no key, unlike all other paths', async () => {
    await (await visit()).text();
    const open = async (path: string) => (await fetch(`${edge.url}${path}`, { headers: { origin: ORIGIN } })).status;
    expect(await open('/stats')).toBe(200);
    expect(await open(`/jobs/${'a'.repeat(32)}/payment`)).toBe(401);
    const refused = await fetch(`http://127.0.0.1:${gateway.port}/stats`, { headers: { origin: ORIGIN } });
    expect([refused.status, refused.headers.get('cache-control')]).toEqual([401, 'no-store']);
  });

  it('are sent to no browser that has them', async () => {
    const tag = (await visit()).headers.get('etag') ?? '';
    const again = await visit('/stats', { 'if-none-match': tag });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});
