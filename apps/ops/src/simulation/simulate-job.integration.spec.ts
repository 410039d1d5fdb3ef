import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ExchangeChainPart, startChain } from '@maker/local-stack';
import { createPublicClient, http } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOps } from '../run-ops.fixture.ts';

let chain: ExchangeChainPart;
let folder: string;
let exchanges: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'simulate-'));
  chain = await startChain({ exchanges: true });
  exchanges = join(folder, 'exchanges.json');
  writeFileSync(exchanges, JSON.stringify(chain.exchanges));
});

afterAll(async () => {
  await chain?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const simulateJob = async (args: readonly string[]) => (await runOps(['simulate', ...args])).output;
const simulate = (token: string, amount: string) =>
  simulateJob(['--token', token, '--amount', amount, '--rpc', chain.rpcUrl, '--exchanges', exchanges]);

describe('npm run simulate (design § 4a)', () => {
  it('prints the plan with its assumptions and sends nothing', async () => {
    const client = createPublicClient({ transport: http(chain.rpcUrl) });
    const before = await client.getBlock();
    const text = await simulate(chain.tokens.both, '0.5');
    expect(text).toMatch(/^orders +625 of 0.0004 HYPE \(estimate 500~833\), one every 138.2 s$/m);
    expect(text).toMatch(/^ends +after about 24.0 h, at the latest after 49.0 h$/m);
    expect(text).toMatch(/^warnings +none$/m);
    expect(text).toMatch(/- 2 pools: .*uniswap-v2/);
    const after = await client.getBlock();
    for (let number = before.number + 1n; number <= after.number; number += 1n) {
      expect((await client.getBlock({ blockNumber: number })).transactions).toEqual([]);
    }
  });

  it('warns of refusals and of a partial pool', async () => {
    expect(await simulate(chain.tokens.both, '0.1')).toContain('too_small_for_one_order');
    expect(await simulate(chain.tokens.unpaired, '1')).toContain('no_pool');
  });

  it('explains invalid arguments in a sentence', async () => {
    await expect(simulate(chain.contracts.v2Factory, '1')).rejects.toThrow('is not an ERC-20 token');
    await expect(simulate(chain.tokens.both, 'much')).rejects.toThrow("--amount: 'much' is not an amount");
    await expect(simulateJob(['--token', chain.tokens.both])).rejects.toThrow("required option '--amount <HYPE>'");
    const both = ['--token', chain.tokens.both, '--amount', '1'];
    await expect(simulateJob([...both, '--exchange', 'x'])).rejects.toThrow("unknown option '--exchange'");
    await expect(simulateJob([...both, '--rpc', 'http://127.0.0.1:9'])).rejects.toThrow('127.0.0.1:9 does not answer');
  });
});
