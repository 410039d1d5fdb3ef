import { afterAll, beforeAll, describe, it } from 'vitest';
import { type KubernetesObject, OPTIONAL_APIS, render } from '../chart.ts';
import { startEnvoy } from './envoy.ts';
import { type FollowedJob, followThrough } from './followed-job.ts';
import { type GatewayBehindProxies, startGatewayBehindProxies } from './gateway-behind-proxies.ts';
import { startNginx } from './nginx.ts';
import type { RunningProxy } from './running-proxy.ts';

const HEARTBEAT_MS = 15_000;
/** Time limit of short steps, on a machine with other load. */
const SOON_MS = 60_000;

/** The chart's HTTPRoute of the API, with or without own settings. */
async function routeOfApi(httpRoute: object = {}): Promise<KubernetesObject> {
  const values = {
    httpRoute: { parentRefs: [{ name: 'gateway' }], ...httpRoute },
    apiGateway: { trustedProxies: ['10.0.0.0/8'] },
  };
  const objects = await render({ apis: OPTIONAL_APIS, values });
  const route = objects.find(({ kind, metadata }) => kind === 'HTTPRoute' && metadata.name.endsWith('api-gateway'));
  if (!route) throw new Error('the chart makes no HTTPRoute of the API');
  return route;
}

/** Tests that channels through real proxies stay open for some heartbeats, and recover when the proxy does. */
export function describeHeldChannels(heartbeats: number): void {
  const longestMs = (heartbeats + 2) * HEARTBEAT_MS + SOON_MS;
  let gateway: GatewayBehindProxies;
  const proxies: RunningProxy[] = [];
  const pages: FollowedJob[] = [];

  beforeAll(async () => {
    gateway = await startGatewayBehindProxies('https://bot.example');
  });

  afterAll(async () => {
    for (const page of pages) page.leave();
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    await gateway?.stop();
  });

  const openThrough = async (starting: Promise<RunningProxy>) => {
    const proxy = await starting;
    proxies.push(proxy);
    const page = followThrough(proxy.url);
    pages.push(page);
    return { proxy, page };
  };

  describe.concurrent(`a live channel that is open for ${heartbeats} heartbeats`, () => {
    const kinds: readonly { readonly kind: string; readonly start: () => Promise<RunningProxy> }[] = [
      { kind: 'Envoy, by the HTTPRoute of the chart', start: async () => startEnvoy(await routeOfApi(), gateway.port) },
      { kind: 'nginx, as behind an Ingress of the chart', start: () => startNginx(gateway.port) },
    ];

    it.for(kinds)(
      'stays open through $kind, and recovers after its restart',
      { timeout: longestMs + 3 * SOON_MS },
      async ({ start }, { expect }) => {
        const { proxy, page } = await openThrough(start());
        await expect.poll(() => page.status, { timeout: SOON_MS }).toBeDefined();
        // No proxy buffers: the first status arrives before the first heartbeat.
        expect(page.heartbeats).toBe(0);
        await expect
          .poll(() => page.heartbeats, { timeout: longestMs, interval: 500 })
          .toBeGreaterThanOrEqual(heartbeats);
        expect(page.opened).toBe(1);
        await proxy.restart();
        await expect.poll(() => page.opened, { timeout: SOON_MS }).toBe(2);
        await gateway.pay(`${pages.indexOf(page) + 1}`);
        await expect.poll(() => page.status?.receivedWei, { timeout: SOON_MS }).toBe(`${pages.indexOf(page) + 1}`);
      },
    );

    it('is cut by Envoy without the chartâs setting', { timeout: 2 * SOON_MS }, async ({ expect }) => {
      const route = await routeOfApi({ timeouts: { request: '', liveChannel: '' } });
      const { page } = await openThrough(startEnvoy(route, gateway.port));
      await expect.poll(() => page.opened, { timeout: SOON_MS }).toBeGreaterThan(1);
      expect(page.heartbeats).toBeLessThanOrEqual(page.opened);
    });
  });
}
