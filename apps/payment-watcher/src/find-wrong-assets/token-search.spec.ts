import type { ChainClient } from '@maker/chain';
import type { Logger } from '@maker/service-kit';
import { type Address, encodeAbiParameters, getAddress, type Hex } from 'viem';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { PaymentWatcherConfiguration } from '../configuration.ts';
import type { TokensFound } from './finds.ts';
import { TokenSearch } from './token-search.ts';

const OWN = getAddress(`0x${'a1'.repeat(20)}`);
const WRAPPED = getAddress('0x5555555555555555555555555555555555555555');
const WATCH = { address: `0x${'b1'.repeat(20)}`, jobId: 'job_1', createdAtMs: 0, tokenAddress: OWN } as const;

/** Balances by token. A request for a token that is down fails. */
let balances: Record<Address, bigint>;
let down: readonly Address[];
let search: TokenSearch;

beforeEach(() => {
  balances = {};
  down = [];
  const call = async ({ to }: { to: Address }): Promise<{ data: Hex }> => {
    const token = getAddress(to);
    if (down.includes(token)) throw new Error('timeout');
    return { data: encodeAbiParameters([{ type: 'uint256' }], [balances[token] ?? 0n]) };
  };
  const client = { chain: {}, call } as unknown as ChainClient;
  const configuration = { CHAIN_ID: 999 } as PaymentWatcherConfiguration;
  search = new TokenSearch(client, configuration, { warn: vi.fn() } as unknown as Logger);
});

const found = (tokens: TokensFound | undefined) =>
  tokens?.tokens.map(({ tokenAddress, amount }) => [tokenAddress, amount]);

describe('a search for tokens (docs/adr/0093)', () => {
  it('keeps the last balance of an unread token', async () => {
    Object.assign(balances, { [OWN]: 5n, [WRAPPED]: 7n });
    const [before] = await search.find([WATCH], [undefined]);
    expect(found(before)).toEqual([
      [WRAPPED, '7'],
      [OWN, '5'],
    ]);
    down = [OWN];
    balances[WRAPPED] = 8n;
    expect(found((await search.find([WATCH], [before]))[0])).toEqual([
      [WRAPPED, '8'],
      [OWN, '5'],
    ]);
  });

  it('leaves out a token that was never read', async () => {
    down = [OWN];
    expect(await search.find([WATCH], [undefined])).toEqual([undefined]);
    balances[WRAPPED] = 7n;
    expect(found((await search.find([WATCH], [undefined]))[0])).toEqual([[WRAPPED, '7']]);
  });
});
