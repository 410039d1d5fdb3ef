import { describe, expect, it } from 'vitest';
import { readOptions, UsageError } from './options.ts';

describe('the command line', () => {
  it('respects public limits by default', () => {
    const publicRpc = ['receipt.json', '--rpc', 'https://rpc.hyperliquid.xyz/evm'];
    expect(readOptions(publicRpc)).toMatchObject({ path: 'receipt.json', requestsPerMinute: 90 });
    expect(readOptions([...publicRpc, '--per-minute', '20']).requestsPerMinute).toBe(20);
    expect(readOptions(['receipt.json', '--rpc', 'http://127.0.0.1:8545']).requestsPerMinute).toBeUndefined();
  });

  it('accepts any spelling of a service identity', () => {
    const identity = '0xAbCdef0123456789aBcDef0123456789abcdEf01';
    const named = readOptions(['receipt.json', '--rpc', 'http://node', '--service', identity]);
    expect(named.service).toBe(identity.toLowerCase());
    expect(readOptions(['receipt.json', '--rpc', 'http://node']).service).toBeUndefined();
  });

  it('reads 50 blocks in one request of prices by default', () => {
    expect(readOptions(['one', '--rpc', 'http://node', '--prices'])).toMatchObject({ blocksPerRequest: 50 });
    const wide = readOptions(['one', '--rpc', 'http://node', '--prices', '--log-blocks', '1000']);
    expect(wide).toMatchObject({ blocksPerRequest: 1000 });
    expect(readOptions(['one', '--rpc', 'http://node'])).not.toHaveProperty('blocksPerRequest');
  });

  it.each([
    ['no file', ['--rpc', 'http://node'], 'one receipt file'],
    ['two files', ['one', 'two', '--rpc', 'http://node'], 'one receipt file'],
    ['no endpoint', ['one'], '--rpc must name'],
    ['an endpoint of another kind', ['one', '--rpc', 'ws://node'], 'http or https'],
    ['a pace of none', ['one', '--rpc', 'http://node', '--per-minute', '0'], 'whole number'],
    ['a service that is no address', ['one', '--rpc', 'http://node', '--service', '0x12'], 'must be an address'],
    ['blocks without prices', ['one', '--rpc', 'http://node', '--log-blocks', '9'], '--log-blocks needs --prices'],
    ['a search of no blocks', ['one', '--rpc', 'http://node', '--prices', '--log-blocks', '0'], 'whole number'],
    ['an unknown option', ['one', '--all'], "Unknown option '--all'"],
  ])('rejects %s with the usage text', (_, args, problem) => {
    expect(() => readOptions(args)).toThrow(UsageError);
    expect(() => readOptions(args)).toThrow(problem);
    expect(() => readOptions(args)).toThrow('usage:');
  });
});
