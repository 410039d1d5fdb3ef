import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError, parseConfiguration } from '@maker/service-kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { siteEnvironment } from './configuration.ts';
import { writeFiles } from './files.fixture.ts';
import { type RunningSite, startSite } from './start-site.ts';

const CLIENT = { apiBaseUrl: 'https://api.bot.example', botWalletAddress: '0x0', explorerUrl: '' };

let folder: string;
let running: RunningSite | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maker-site-'));
  await writeFiles(folder, {
    'site/shell/index.html': '<p>shell</p>',
    'site/remotes/token/remoteEntry.js': 'token()',
    'site/verify/index.html': 'verify()',
    'config.json': JSON.stringify(CLIENT),
    'api-key': 'public-key\n',
  });
});

afterEach(async () => {
  await running?.stop(0);
  running = undefined;
  await rm(folder, { recursive: true, force: true });
});

function start(environment: NodeJS.ProcessEnv = {}, watch = false): Promise<RunningSite> {
  return startSite(
    parseConfiguration(siteEnvironment, {
      LISTEN_HOST: '127.0.0.1',
      HTTP_PORT: '0',
      OPS_PORT: '0',
      SITE_CONFIGURATION_FILE: join(folder, 'config.json'),
      API_KEY_FILE: join(folder, 'api-key'),
      ...environment,
    }),
    { directory: join(folder, 'site'), watch },
  );
}

it('serves shell, remotes and configuration with its key', async () => {
  running = await start();
  const site = `http://127.0.0.1:${running.httpPort}`;
  expect(await (await fetch(site)).text()).toBe('<p>shell</p>');
  expect(await (await fetch(`${site}/remotes/token/remoteEntry.js`)).text()).toBe('token()');
  const configuration = await fetch(`${site}/config.json`);
  expect(configuration.headers.get('content-security-policy')).toContain(CLIENT.apiBaseUrl);
  expect(await configuration.json()).toMatchObject({ ...CLIENT, apiKey: 'public-key', chainId: 999 });
});

describe('the file that names the service', () => {
  const [treasury, signer, earlier] = ['11', '22', '33'].map((byte) => `0x${byte.repeat(20)}`);
  const names = { JOB_AGREEMENT_SIGNERS: `${signer}` };
  const settings = (service?: object) =>
    writeFiles(folder, { 'config.json': JSON.stringify({ ...CLIENT, botWalletAddress: treasury, service }) });
  const read = (site: RunningSite) => fetch(`http://127.0.0.1:${site.httpPort}/.well-known/hyperevm-maker-bot.json`);

  it('has chain, treasury and keys for any origin', async () => {
    await settings();
    running = await start(names);
    const response = await read(running);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toEqual({
      chainId: 999,
      periods: [{ treasury, agreementSigners: [signer], from: null, to: null }],
    });
  });

  it('has earlier periods and the identity', async () => {
    const before = { treasury: earlier, agreementSigners: [earlier], from: null, to: '2026-02-01T01:00:00.000Z' };
    const identity = { address: earlier, signature: `0x${'1'.repeat(130)}` };
    const since = '2026-02-01T00:00:00.000Z';
    await settings({ since, earlierPeriods: [before], identity });
    running = await start(names);
    expect(await (await read(running)).json()).toEqual({
      chainId: 999,
      periods: [before, { treasury, agreementSigners: [signer], from: since, to: null }],
      identity,
    });
    const configuration = await fetch(`http://127.0.0.1:${running.httpPort}/config.json`);
    expect(await configuration.json()).not.toHaveProperty('service');
  });

  it('is absent where no keys are known', async () => {
    running = await start();
    expect((await read(running)).status).toBe(404);
  });

  it('refuses settings of another form', async () => {
    await settings({ earlier: [] });
    await expect(start(names)).rejects.toThrow('SITE_CONFIGURATION_FILE: service: Unrecognized key');
    // A page of a stack without a treasury.
    await writeFiles(folder, { 'config.json': JSON.stringify(CLIENT) });
    await expect(start(names)).rejects.toThrow('SITE_CONFIGURATION_FILE: service.periods.0.treasury');
  });
});

it('listens on IPv4 and IPv6 unless an address is named', async () => {
  running = await start({ LISTEN_HOST: '' });
  for (const host of ['127.0.0.1', '[::1]']) {
    expect(await (await fetch(`http://${host}:${running.httpPort}`)).text()).toBe('<p>shell</p>');
  }
});

it('serves newer builds when watching', async () => {
  running = await start({}, true);
  await writeFile(join(folder, 'site', 'shell', 'new.js'), 'later()');
  expect(await (await fetch(`http://127.0.0.1:${running.httpPort}/new.js`)).text()).toBe('later()');
});

it('is ready while it serves, not while stopping', async () => {
  running = await start();
  const readiness = `http://127.0.0.1:${running.opsPort}/readyz`;
  expect((await fetch(readiness)).status).toBe(200);
  const stopping = running.stop(200);
  expect((await fetch(readiness)).status).toBe(503);
  const answer = await fetch(`http://127.0.0.1:${running.httpPort}`);
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  await stopping;
  running = undefined;
});

it('rejects a missing key or invalid file', async () => {
  await expect(start({ API_KEY_FILE: '' })).rejects.toThrow(/apiKey/);
  await writeFile(join(folder, 'config.json'), '{"apiKey": secret');
  const failure = await start().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ConfigurationError);
  expect(String(failure)).not.toContain('secret');
});

it('shows the site’s name in its metrics', async () => {
  running = await start();
  const metrics = await (await fetch(`http://127.0.0.1:${running.opsPort}/metrics`)).text();
  expect(metrics).toContain('maker_service_up{component="site"} 1');
});
