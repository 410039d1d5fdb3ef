import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort, waitUntil } from '@maker/local-stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHART } from './chart.ts';

const run = promisify(execFile);
/** Requests a URL as the services do: by fetch. */
const ASK = `fetch(process.argv[1]).then(async (answer) => console.log(await answer.text()))
  .catch((error) => console.log('refused:', error.cause?.message ?? error.message))`;

let folder: string;
let endpoint: Server;
let endpointPort: number;
let proxyPort: number;
let proxy: ReturnType<typeof spawn>;
const said: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maker-egress-'));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  await run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    key,
    '-out',
    certificate,
    ...subject,
  ]);
  endpoint = createServer({ key: await readFile(key), cert: await readFile(certificate) }, (_request, response) =>
    response.end('a block'),
  ).listen(0);
  await once(endpoint, 'listening');
  endpointPort = (endpoint.address() as AddressInfo).port;
  proxyPort = await freePort();
  proxy = spawn(process.execPath, [join(CHART, 'files', 'egress-proxy.mjs')], {
    env: { EGRESS_HOSTS: `localhost:${endpointPort},nowhere.invalid:443`, PORT: `${proxyPort}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface({ input: proxy.stdout as NodeJS.ReadableStream }).on('line', (line) => said.push(line));
  await waitUntil(async () => (await fetch(`http://127.0.0.1:${proxyPort}/livez`)).ok, { timeoutMs: 10_000 });
});

afterAll(async () => {
  proxy.kill('SIGKILL');
  endpoint.close();
  await rm(folder, { recursive: true, force: true });
});

/** Answer of a URL to a service with the chart's environment. */
async function ask(url: string, environment: Record<string, string> = {}): Promise<string> {
  const env = {
    NODE_USE_ENV_PROXY: '1',
    HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`,
    NODE_EXTRA_CA_CERTS: join(folder, 'certificate.pem'),
    ...environment,
  };
  return (await run(process.execPath, ['-e', ASK, url], { env })).stdout.trim();
}

describe('the connection of signers to the RPC endpoints', () => {
  it('reaches its endpoint with the endpoint’s certificate', async () => {
    expect(await ask(`https://localhost:${endpointPort}`)).toBe('a block');
    expect(await ask(`https://localhost:${endpointPort}`, { NODE_EXTRA_CA_CERTS: '' })).toMatch(
      /refused: .*certificate/,
    );
  });

  it.each(['https://example.com', 'https://localhost', 'https://127.0.0.1:9443'])(
    'ends at the proxy for %s',
    async (url) => {
      expect(await ask(url)).toMatch(/^refused:/);
      const { host, port } = new URL(url);
      const target = port ? host : `${host}:443`;
      expect(said.map((line) => JSON.parse(line))).toContainEqual(
        expect.objectContaining({ level: 'warn', msg: 'connection denied', target }),
      );
    },
  );

  it('reports an unreachable endpoint and continues', async () => {
    expect(await ask('https://nowhere.invalid')).toMatch(/^refused:/);
    expect(said.some((line) => line.includes('host unreachable'))).toBe(true);
    expect(await ask(`https://localhost:${endpointPort}`)).toBe('a block');
  });

  it('forwards no request that it could read', async () => {
    const body = await fetch(`http://127.0.0.1:${proxyPort}/`, { method: 'POST', body: 'x' });
    expect(body.status).toBe(405);
  });
});
