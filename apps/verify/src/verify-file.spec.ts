import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyFile } from './verify-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verify-'));
});
afterAll(() => rm(folder, { recursive: true }));

const rpcUrl = new URL('http://127.0.0.1:9');

async function fileOf(content: string): Promise<string> {
  const path = join(folder, 'receipt.json');
  await writeFile(path, content);
  return path;
}

it.each([
  ['no JSON', '{'],
  ['JSON of something else', '{"receipt":{}}'],
])('rejects %s without a request to the endpoint', async (_, content) => {
  const outcome = await verifyFile({ path: await fileOf(content), rpcUrl }, () => {});
  expect(outcome.code).toBe(1);
  expect(outcome.text).toContain('✗ This is no receipt of a job');
});

it('reports an unreadable file as unchecked', async () => {
  const missing = verifyFile({ path: join(folder, 'none.json'), rpcUrl }, () => {});
  await expect(missing).rejects.toThrow('none.json cannot be read: ENOENT');
});
