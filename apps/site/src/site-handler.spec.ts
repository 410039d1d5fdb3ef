import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, get, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientConfigurationSchema } from '@maker/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFiles } from './files.fixture.ts';
import { siteHandler } from './site-handler.ts';

const configuration = clientConfigurationSchema.parse({
  apiBaseUrl: 'http://127.0.0.1:4201',
  apiKey: 'key',
  botWalletAddress: '0x0',
});

let folder: string;
let site: string;
let server: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maker-site-'));
  await writeFiles(folder, {
    'shell/index.html': '<p>shell</p>',
    'shell/start-again.js': 'again()',
    'shell/assets/shell.0123456789ab.js': 'shell()',
    'verify/index.html': '<p>verify</p>',
    'verify/assets/page.0123456789ab.js': 'verify()',
    'token/remoteEntry.js': 'token()',
    'token/assets/step.ba9876543210.css': 'p{}',
    'token/standard/mf-manifest.json': '{}',
  });
  server = createServer(
    siteHandler({
      configuration,
      shell: join(folder, 'shell'),
      remotes: { token: join(folder, 'token') },
      verify: join(folder, 'verify'),
    }),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

/** Asks as a browser does that knows the site by the given host. */
function ask(url: string, path: string, host: string) {
  return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
    get(url + path, { headers: { host } }, async (response) => {
      const body = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode, headers: response.headers, body });
    }).on('error', reject);
  });
}

/** The same site, for builds that change. */
async function startWatching(configured = configuration): Promise<{ url: string; stop(): void }> {
  const watching = createServer(
    siteHandler({
      configuration: configured,
      shell: join(folder, 'shell'),
      remotes: { token: join(folder, 'token') },
      verify: join(folder, 'verify'),
      watch: true,
    }),
  );
  await once(watching.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(watching.address() as AddressInfo).port}`,
    stop() {
      watching.closeAllConnections();
      watching.close();
    },
  };
}

afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the site', () => {
  it.each(['/', '/terms', '/?from=mail'])('answers %s with the shell (specification § 2)', async (path) => {
    const response = await fetch(site + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.text()).toBe('<p>shell</p>');
  });

  it('lets a federation host read the remotes only', async () => {
    const readableBy = async (path: string) => (await fetch(site + path)).headers.get('access-control-allow-origin');
    expect(await readableBy('/remotes/token/standard/mf-manifest.json')).toBe('*');
    expect(await readableBy('/')).toBeNull();
    expect(await readableBy('/config.json')).toBeNull();
  });

  it.each(['/nowhere', '/terms/more', '/remotes/token/missing.js', '/remotes/other/remoteEntry.js', '/..%2f..%2fetc'])(
    'answers %s with 404 (specification § 2: no fallback route)',
    async (path) => {
      const response = await fetch(site + path);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
    },
  );

  it('leads a visitor of an unknown page to the start', async () => {
    const response = await fetch(`${site}/nowhere`, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toContain('<a href="/">Go to the start</a>');
    const script = await fetch(`${site}/remotes/token/missing.js`);
    expect(await script.text()).toBe('Not found\n');
  });

  it('shows that page in the theme within its policy', async () => {
    const response = await fetch(`${site}/nowhere`, { headers: { accept: 'text/html' } });
    const [, style = ''] = /<style>([^<]*)<\/style>/.exec(await response.text()) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain(`style-src 'sha256-${hash}'`);
    expect(policy).toContain("default-src 'none'");
    const tokens = await readFile(new URL('../../../libs/ui/src/foundation/tokens.css', import.meta.url), 'utf8');
    const themes = tokens.split('@media (prefers-color-scheme: dark)');
    const shown = style.split('@media (prefers-color-scheme: dark)');
    for (const [index, theme] of themes.entries()) {
      // tokens.css holds the contrast of these pairs: text and links on the ground.
      for (const [property, name] of [
        ['background', 'ground'],
        ['color', 'ink'],
        ['--link', 'accent'],
      ]) {
        const colour = new RegExp(`--colour-${name}: (#[0-9a-f]{6});`).exec(theme)?.[1];
        expect(shown[index], `${property} of theme ${index}`).toContain(`${property}: ${colour};`);
      }
    }
  });

  it.each([
    ['/assets/shell.0123456789ab.js', 'public, max-age=31536000, immutable'],
    ['/remotes/token/assets/step.ba9876543210.css', 'public, max-age=31536000, immutable'],
    ['/remotes/token/remoteEntry.js', 'no-cache'],
    ['/remotes/token/standard/mf-manifest.json', 'no-cache'],
    ['/config.json', 'no-cache'],
  ])('serves %s as %s', async (path, cacheControl) => {
    const response = await fetch(site + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe(cacheControl);
  });

  it('serves the configuration that the browser expects', async () => {
    const response = await fetch(`${site}/config.json`);
    expect(clientConfigurationSchema.parse(await response.json())).toEqual(configuration);
  });

  it('serves the page of receipts at its own host only', async () => {
    const other = await startWatching({ ...configuration, verifyUrl: 'https://Verify.example' });
    const at = (path: string, host: string) => ask(other.url, path, host);
    for (const path of ['/', '/assets/page.0123456789ab.js', '/start-again.js']) {
      const { status, headers } = await at(path, 'verify.example');
      expect(status, path).toBe(200);
      const policy = headers['content-security-policy'] ?? '';
      expect(policy).toMatch(/connect-src 'self' https:(;|$)/);
      expect(policy).toContain("script-src 'self'");
      expect(policy).not.toMatch(/unsafe|\*|4201/);
    }
    expect((await at('/', 'verify.example')).body).toBe('<p>verify</p>');
    for (const path of ['/config.json', '/terms', '/remotes/token/remoteEntry.js', '/assets/shell.js']) {
      expect((await at(path, 'verify.example')).status, path).toBe(404);
    }
    for (const path of ['/', '/terms', '/verify', '/remotes/token/remoteEntry.js']) {
      expect((await at(path, 'bot.example')).headers['content-security-policy'], path).not.toMatch(/https:/);
    }
    expect(await at('/verify', 'bot.example')).toMatchObject({
      status: 307,
      headers: { location: 'https://Verify.example' },
    });
    other.stop();
    for (const path of ['/verify', '/verify/', '/assets/page.0123456789ab.js?again=15']) {
      expect((await fetch(site + path)).status, path).toBe(404);
    }
  });

  it('redirects a file of another build to itself', async () => {
    for (const path of ['/assets/shell.ffffffffffff.js', '/remotes/token/assets/step.ffffffffffff.css']) {
      let asked = path;
      for (let count = 1; count <= 15; count += 1) {
        const response = await fetch(site + asked, { redirect: 'manual' });
        expect(response.status).toBe(307);
        expect(response.headers.get('cache-control')).toBe('no-store');
        asked = response.headers.get('location') ?? '';
        expect(asked).toBe(`${path}?again=${count}`);
      }
      expect((await fetch(site + asked)).status).toBe(404);
    }
    const found = await fetch(`${site}/assets/shell.0123456789ab.js?again=3`);
    expect(await found.text()).toBe('shell()');
    expect((await fetch(`${site}/assets/shell.ffffffffffff.js?again=x`, { redirect: 'manual' })).status).toBe(404);
  });

  it('allows no inline code and only the API', async () => {
    const { headers } = await fetch(site);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(policy).toContain("connect-src 'self' http://127.0.0.1:4201");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('a site whose builds are watched', () => {
  it('notifies pages of a rebuilt remote in development', async () => {
    expect((await fetch(`${site}/rebuilds`)).status).toBe(404);
    const watching = await startWatching();
    try {
      const { body, headers } = await fetch(`${watching.url}/rebuilds`);
      expect(headers.get('content-type')).toBe('text/event-stream');
      const reader = body?.getReader();
      await writeFile(join(folder, 'token', 'remoteEntry.js'), 'token(2)');
      const { value } = (await reader?.read()) ?? {};
      expect(new TextDecoder().decode(value)).toBe('data: rebuilt\n\n');
      await reader?.cancel();
    } finally {
      watching.stop();
    }
  });
});

describe('Strict-Transport-Security', () => {
  const hstsOf = async (headers: Record<string, string>) =>
    (await fetch(`${site}/`, { headers })).headers.get('strict-transport-security');

  it('is sent behind a TLS proxy', async () => {
    expect(await hstsOf({ 'x-forwarded-proto': 'https' })).toBe('max-age=31536000');
  });

  it('is not sent over plain HTTP', async () => {
    expect(await hstsOf({})).toBeNull();
    expect(await hstsOf({ 'x-forwarded-proto': 'http' })).toBeNull();
  });
});
