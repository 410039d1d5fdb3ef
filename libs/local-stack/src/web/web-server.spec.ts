import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { clientConfigurationSchema } from '@maker/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NotBuiltError } from '../errors.ts';
import { freePort, HOST } from '../processes/ports.ts';
import { type RunningWeb, startWeb } from './web-server.ts';

const configuration = clientConfigurationSchema.parse({
  apiBaseUrl: 'http://127.0.0.1:4201',
  apiKey: 'key',
  botWalletAddress: '0x0',
});

const APPS = ['shell', 'token', 'amount', 'payment', 'terms'];

let apps: string;
let site: string;
let web: RunningWeb;

beforeAll(async () => {
  apps = await mkdtemp(join(tmpdir(), 'maker-web-'));
  const files = {
    'shell/dist/web/index.html': '<p>shell</p>',
    'shell/dist/web/assets/shell.0123456789ab.js': 'shell()',
    'token/dist/web/remoteEntry.js': 'token()',
    'token/dist/web/assets/step.ba9876543210.css': 'p{}',
  };
  for (const app of APPS) await mkdir(join(apps, app, 'dist', 'web'), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(apps, name)), { recursive: true });
    await writeFile(join(apps, name), content);
  }
  const port = await freePort();
  web = await startWeb({ configuration, appsDirectory: apps }, port);
  site = `http://${HOST}:${port}`;
});

afterAll(async () => {
  await web?.stop();
  await rm(apps, { recursive: true, force: true });
});

describe('the web server', () => {
  it.each(['/', '/terms', '/?from=mail'])('answers %s with the shell (specification § 2)', async (path) => {
    const response = await fetch(site + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.text()).toBe('<p>shell</p>');
  });

  it.each(['/nowhere', '/terms/more', '/remotes/token/missing.js', '/remotes/other/remoteEntry.js', '/..%2f..%2fetc'])(
    'answers %s with 404 (specification § 2: no fallback route)',
    async (path) => {
      const response = await fetch(site + path);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
    },
  );

  it.each([
    ['/assets/shell.0123456789ab.js', 'public, max-age=31536000, immutable'],
    ['/remotes/token/assets/step.ba9876543210.css', 'public, max-age=31536000, immutable'],
    ['/remotes/token/remoteEntry.js', 'no-cache'],
    ['/config.json', 'no-cache'],
  ])('serves %s as %s', async (path, cacheControl) => {
    const response = await fetch(site + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe(cacheControl);
  });

  it('names an app that was not built', async () => {
    const starting = startWeb({ configuration, appsDirectory: join(apps, 'shell') }, await freePort());
    await expect(starting).rejects.toBeInstanceOf(NotBuiltError);
  });

  it('serves the configuration that the browser expects', async () => {
    const response = await fetch(`${site}/config.json`);
    expect(clientConfigurationSchema.parse(await response.json())).toEqual(configuration);
  });

  it('lets a page run nothing inline and reach nothing but itself and the API (design § 8)', async () => {
    const { headers } = await fetch(site);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(policy).toContain("connect-src 'self' http://127.0.0.1:4201");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});
