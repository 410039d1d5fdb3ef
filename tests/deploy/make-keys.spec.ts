import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CHART } from './chart.ts';

const run = promisify(execFile);
const OPS = fileURLToPath(new URL('../../apps/ops/src/main.ts', import.meta.url));

let folder: string;
let server: Server;
/** Answer of the API server to a read of the Secret. */
let found = 404;
let made: { data: { stringData: Record<string, string>; metadata: object }; token: string }[];

beforeEach(async () => {
  found = 404;
  made = [];
  folder = await mkdtemp(join(tmpdir(), 'make-keys-'));
  await writeFile(join(folder, 'token'), 'the-token');
  server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      made.push({ data: JSON.parse(Buffer.concat(chunks).toString()), token: request.headers.authorization ?? '' });
    }
    response.writeHead(request.method === 'POST' ? 201 : found).end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

/** Runs the hook's script here: by HTTP, with the program from its source. */
async function makeKeys(): Promise<string> {
  const script = (await readFile(join(CHART, 'files', 'make-keys.mjs'), 'utf8'))
    .replace('https://', 'http://')
    .replace('/var/run/secrets/kubernetes.io/serviceaccount', folder)
    .replace("'/app/node'", JSON.stringify(process.execPath))
    .replace("'dist/main.js'", `'--conditions=@maker/source', ${JSON.stringify(OPS)}`);
  const { port } = server.address() as AddressInfo;
  const place = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(port) };
  const env = { ...process.env, ...place, NAME: 'maker-keys', NAMESPACE: 'maker' };
  return (await run(process.execPath, ['--input-type=module', '-e', script], { env })).stdout;
}

it('makes a missing Secret', async () => {
  expect(await makeKeys()).toContain('Secret maker-keys made');
  expect(made).toHaveLength(1);
  expect(made[0]).toMatchObject({ token: 'Bearer the-token', data: { metadata: { namespace: 'maker' } } });
  expect(made[0]?.data.stringData['operator-keys']).toMatch(/^evaluator:/);
});

it('keeps a Secret that exists', async () => {
  found = 200;
  expect(await makeKeys()).toContain('Secret maker-keys kept');
  expect(made).toEqual([]);
});

it('fails if the Secret cannot be read', async () => {
  found = 403;
  await expect(makeKeys()).rejects.toMatchObject({ stderr: expect.stringContaining('the API server answered 403') });
  expect(made).toEqual([]);
});
