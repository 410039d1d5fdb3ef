import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { commonEnvironment, parseConfiguration } from './environment.ts';
import { MetricsRegistry } from './metrics/metrics-registry.ts';
import { OpsServer } from './ops-server.ts';
import { Readiness } from './readiness.ts';

let server: OpsServer;

afterEach(() => server.close());

async function listen(environment: NodeJS.ProcessEnv): Promise<number> {
  const { OPS_PORT, LISTEN_HOST } = parseConfiguration(z.object(commonEnvironment), { OPS_PORT: '0', ...environment });
  server = new OpsServer(new Readiness(), new MetricsRegistry());
  return server.listen(OPS_PORT, LISTEN_HOST);
}

const answers = (host: string, port: number) =>
  fetch(`http://${host}:${port}/livez`).then(
    ({ ok }) => ok,
    () => false,
  );

it('listens on IPv4 and IPv6 by default', async () => {
  const port = await listen({});
  expect([await answers('127.0.0.1', port), await answers('[::1]', port)]).toEqual([true, true]);
});

it('listens on the named address only', async () => {
  const port = await listen({ LISTEN_HOST: '127.0.0.1' });
  expect([await answers('127.0.0.1', port), await answers('[::1]', port)]).toEqual([true, false]);
});
