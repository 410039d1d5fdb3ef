import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { downloadMongod } from './mongod.ts';

const PROGRAM = '#!/bin/sh\necho a mongod\n';

let folder: string;
let mirror: Server;
let archive: Buffer;
const asked: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maker-mongod-'));
  await mkdir(join(folder, 'mongodb', 'bin'), { recursive: true });
  await writeFile(join(folder, 'mongodb', 'bin', 'mongod'), PROGRAM);
  await chmod(join(folder, 'mongodb', 'bin', 'mongod'), 0o755);
  await promisify(execFile)('tar', ['-czf', join(folder, 'archive.tgz'), '-C', folder, 'mongodb']);
  archive = await readFile(join(folder, 'archive.tgz'));
  mirror = createServer((request, response) => {
    if (request.method === 'GET') asked.push(request.url ?? '');
    if (request.url?.endsWith('.md5')) response.end(createHash('md5').update(archive).digest('hex'));
    else response.end(request.method === 'HEAD' ? undefined : archive);
  });
  await new Promise<void>((resolve) => mirror.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'));
  vi.stubEnv('MONGOMS_USE_HTTP', 'true');
  vi.stubEnv('MONGOMS_DOWNLOAD_MIRROR', `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  mirror.closeAllConnections();
  await new Promise((resolve) => mirror.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

it('fetches mongod from its vendor once', async () => {
  const path = await downloadMongod();
  expect(await readFile(path, 'utf8')).toBe(PROGRAM);
  expect(dirname(path)).toBe(join(folder, 'cache', 'hyperevm-maker-bot', 'binaries'));
  expect(await downloadMongod()).toBe(path);
  expect(asked.filter((url) => url.endsWith('.tgz'))).toHaveLength(1);
});
