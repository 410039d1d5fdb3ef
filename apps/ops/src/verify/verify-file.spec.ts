import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOps } from '../run-ops.fixture.ts';
import { readOptions } from './verify-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verify-'));
});
afterAll(() => rm(folder, { recursive: true }));

const verify = (path: string, ...more: string[]) => runOps(['verify', path, '--rpc', 'http://127.0.0.1:9', ...more]);

async function fileOf(content: string): Promise<string> {
  const path = join(folder, 'receipt.json');
  await writeFile(path, content);
  return path;
}

it.each([
  ['no JSON', '{'],
  ['JSON of something else', '{"receipt":{}}'],
])('rejects %s without a request to the endpoint', async (_, content) => {
  const { output, isFailure } = await verify(await fileOf(content));
  expect(isFailure).toBe(true);
  expect(output).toContain('✗ This is no receipt of a job');
});

it('reports an unreadable file as unchecked', async () => {
  const missing = verify(join(folder, 'none.json'));
  await expect(missing).rejects.toThrow('none.json cannot be read: ENOENT');
  await expect(missing).rejects.toMatchObject({ exitStatus: 2 });
});

describe('the options', () => {
  const [publicRpc, ownRpc] = ['https://rpc.hyperliquid.xyz/evm', 'http://127.0.0.1:8545'];

  it('respect public limits by default', () => {
    expect(readOptions({ rpc: publicRpc }).endpoint).toMatchObject({ requestsPerMinute: 90 });
    expect(readOptions({ rpc: publicRpc, perMinute: '20' }).endpoint).toMatchObject({ requestsPerMinute: 20 });
    expect(readOptions({ rpc: ownRpc }).endpoint.requestsPerMinute).toBeUndefined();
  });

  it('accept the https site of a service', () => {
    const hostOf = (service: string) => readOptions({ rpc: ownRpc, service }).service?.host;
    expect(hostOf('https://Bot.example.com/terms')).toBe('bot.example.com');
    // A stack on this machine.
    expect(hostOf('http://127.0.0.1:4200')).toBe('127.0.0.1:4200');
    expect(readOptions({ rpc: ownRpc }).service).toBeUndefined();
  });

  it('read 50 blocks in one request of prices by default', () => {
    expect(readOptions({ rpc: ownRpc, prices: true }).blocksPerRequest).toBe(50);
    expect(readOptions({ rpc: ownRpc, prices: true, logBlocks: '1000' }).blocksPerRequest).toBe(1000);
    expect(readOptions({ rpc: ownRpc }).blocksPerRequest).toBeUndefined();
  });

  it.each([
    ['two files', ['two'], 'too many arguments'],
    ['an endpoint of another kind', ['--rpc', 'ws://node'], 'http or https'],
    ['a pace of none', ['--per-minute', '0'], 'whole number'],
    ['a service without https', ['--service', 'http://bot.example.com'], 'must be an https URL'],
    ['blocks without prices', ['--log-blocks', '9'], '--log-blocks needs --prices'],
    ['a search of no blocks', ['--prices', '--log-blocks', '0'], 'whole number'],
    ['an unknown option', ['--all'], "unknown option '--all'"],
  ])('reject %s', async (_, args, problem) => {
    await expect(verify('one', ...args)).rejects.toThrow(problem);
  });
});
