import { type DemoToken, type ExchangeChainPart, startChain, VENUES } from '@maker/local-stack';
import { parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningNode, startHyperevmNode } from '../../../hyperevm-node/src/server/start-node.ts';
import { type ChainClient, createChainClient } from '../client.ts';
import { ExchangeWatch } from '../exchange-checks/exchange-watch.ts';
import { exchangesFileSchema } from '../exchanges/exchanges.ts';
import { networkOf } from '../networks.ts';
import { Market } from '../pools/market.ts';
import { poolOf } from './pool-of.fixture.ts';
import { probeTrade } from './probe-trade.ts';

const ORDER = parseEther('0.0004');

let chain: ExchangeChainPart;
let node: RunningNode;
let market: Market;
let client: ChainClient;
const requests: string[] = [];

beforeAll(async () => {
  chain = await startChain({ exchanges: true, blockSeconds: 0 });
  const switches = { refuseDeploylessCalls: true, refuseStateOverrides: true };
  node = await startHyperevmNode({ executionUrl: chain.rpcUrl, blockMs: 0, switches });
  const onRequest = (method: string, outcome: string) => requests.push(`${method} ${outcome}`);
  client = createChainClient({ network: networkOf(chain.chainId), rpcUrls: [node.rpcUrl], onRequest });
  market = new Market(client, await new ExchangeWatch(client, exchangesFileSchema.parse(chain.exchanges)).start());
});
afterAll(async () => {
  await node?.stop();
  await chain?.stop();
});

async function probe(token: DemoToken, exchangeId?: string) {
  const pool = await poolOf(market, chain.tokens[token], exchangeId);
  requests.length = 0;
  return probeTrade(client, market.exchangeOf(pool), pool, ORDER);
}

describe('probeTrade where calls without a recipient are refused (hyperevm § 1.2)', () => {
  it.each(VENUES.map(({ token }) => token.key))('finds %s tradable on its venue, in two requests', async (token) => {
    expect(await probe(token)).toMatchObject({ kind: 'tradable' });
    expect(requests).toEqual(['eth_call ok', 'eth_call ok']);
  });

  it('finds a fee on transfer, with its share', async () => {
    expect(await probe('taxed', 'uniswap-v2')).toEqual({ kind: 'fee_on_transfer', step: 'buy', lostBps: 500n });
  });

  it('finds a token that can be bought and not sold', async () => {
    expect(await probe('honeypot', 'uniswap-v2')).toMatchObject({ kind: 'cannot_sell' });
  });
});
