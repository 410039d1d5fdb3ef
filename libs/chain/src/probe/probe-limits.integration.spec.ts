import { type ExchangeChainPart, ownArtifacts, startChain, VENUES } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import { type Address, createTestClient, type Hex, http, publicActions } from 'viem';
import { foundry } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChainClient, createChainClient } from '../client.ts';
import { ExchangeWatch } from '../exchange-checks/exchange-watch.ts';
import { exchangesFileSchema } from '../exchanges/exchanges.ts';
import { networkOf } from '../networks.ts';
import { Market } from '../pools/market.ts';
import { probeLimits } from './probe-limits.ts';

const BUDGET = parseHype('700');
const QUESTION = { minimumLiquidityWei: parseHype('1'), budgetWei: parseHype('1') };

let chain: ExchangeChainPart;
let market: Market;
let client: ChainClient;
const requests: string[] = [];

beforeAll(async () => {
  chain = await startChain({ exchanges: true, blockSeconds: 0 });
  const onRequest = (method: string, outcome: string) => requests.push(`${method} ${outcome}`);
  client = createChainClient({ network: networkOf(chain.chainId), rpcUrls: [chain.rpcUrl], onRequest });
  market = new Market(client, await new ExchangeWatch(client, exchangesFileSchema.parse(chain.exchanges)).start());
});
afterAll(() => chain?.stop());

async function limitsOf(token: Address) {
  const [best] = (await market.deepMarket(token, QUESTION, 0n)).quotes;
  if (!best) throw new Error(`${token} has no deep pool`);
  requests.length = 0;
  return probeLimits(client, market.exchangeOf(best.pool), best, BUDGET);
}

type Limited = 'LimitsHoldings' | 'LimitsTransfers' | 'LimitsTransfersAndHoldings' | 'CoolsDown';

/** Gives a demo token the code of another one during a test. */
async function upgraded<Result>(contract: Limited, run: (token: Address) => Promise<Result>) {
  const node = createTestClient({ chain: foundry, mode: 'anvil', transport: http(chain.rpcUrl) }).extend(publicActions);
  const address = chain.tokens.v2Only;
  const code = (await node.getCode({ address })) as Hex;
  await node.setCode({ address, bytecode: (await ownArtifacts())[contract].deployedBytecode });
  try {
    return await run(address);
  } finally {
    await node.setCode({ address, bytecode: code });
  }
}

describe('probeLimits (docs/adr/0094)', () => {
  it.each(VENUES.map(({ token }) => token.key))('finds no limit of %s, in one request', async (token) => {
    expect(await limitsOf(chain.tokens[token])).toEqual({ refusesSecond: false });
    expect(requests).toEqual(['eth_call ok']);
  });

  it.each([
    ['LimitsHoldings', 20n],
    ['LimitsTransfersAndHoldings', 10n],
  ] as const)('finds what a wallet may spend on %s', async (contract, mostTokens) => {
    const { limits, most } = await upgraded(contract, async (token) => {
      const [best] = (await market.deepMarket(token, QUESTION, 0n)).quotes;
      const samples = await market.states(best ? [best] : [], BUDGET);
      const held = (samples[0]?.samples ?? []).filter(({ tokens }) => tokens <= mostTokens * 10n ** 18n);
      return { limits: await limitsOf(token), most: held.at(-1)?.inWei ?? 0n };
    });
    expect(requests).toEqual(['eth_call ok', 'eth_call ok']);
    expect(limits?.refusesSecond).toBe(false);
    const spent = limits?.mostSpentWei ?? 0n;
    expect(most).toBeGreaterThan(0n);
    expect(spent).toBeGreaterThanOrEqual(most / 2n);
    expect(spent).toBeLessThanOrEqual(most * 2n);
  });

  it('distinguishes a purchase limit from a wallet limit', async () => {
    expect(await upgraded('LimitsTransfers', limitsOf)).toEqual({ refusesSecond: false });
  });

  it('finds a token with a pause between purchases', async () => {
    expect(await upgraded('CoolsDown', limitsOf)).toEqual({ refusesSecond: true });
  });
});
