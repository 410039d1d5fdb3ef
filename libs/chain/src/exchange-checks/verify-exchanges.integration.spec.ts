import { type ExchangeChainPart, startChain } from '@maker/local-stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChainClient, createChainClient } from '../client.ts';
import { FaultyNode } from '../endpoints/faulty-node.fixture.ts';
import { isDeployless } from '../endpoints/request-outcome.ts';
import { exchangesFileSchema } from '../exchanges/exchanges.ts';
import { networkOf } from '../networks.ts';
import type { Exchange, VerifiedExchange } from '../shapes/shapes.ts';
import { verifyAgain, verifyExchanges } from './verify-exchanges.ts';

const NOTHING_HERE = '0x00000000000000000000000000000000000000aa';

let chain: ExchangeChainPart;
let client: ChainClient;
let v2: Exchange;
let v3: Exchange;
let camelot: Exchange;
let v302: Exchange;

function exchange(id: string): Exchange {
  const found = exchangesFileSchema.parse(chain.exchanges).find((entry) => entry.id === id);
  if (!found) throw new Error(`the local chain has no ${id}`);
  return found;
}

beforeAll(async () => {
  chain = await startChain({ exchanges: true });
  client = createChainClient({ network: networkOf(chain.chainId), rpcUrls: [chain.rpcUrl] });
  [v2, v3, camelot, v302] = ['uniswap-v2', 'uniswap-v3', 'camelot', 'uniswap-v3-router02'].map(exchange) as [
    Exchange,
    Exchange,
    Exchange,
    Exchange,
  ];
});
afterAll(() => chain?.stop());

describe('verifyExchange (design § 7)', () => {
  it.each([
    ['uniswap-v2', {}],
    ['uniswap-v3', { routerHasDeadline: true, quoterVersion: 2, feeTiers: [500, 3000, 10000] }],
    ['camelot', {}],
    ['uniswap-v3-router02', { routerHasDeadline: false, quoterVersion: 1, feeTiers: [500, 3000, 10000] }],
    ['algebra', {}],
  ])('confirms %s and adds facts from the chain', async (id, known) => {
    const unsaid = { ...exchange(id), routerHasDeadline: undefined, quoterVersion: undefined };
    const [entry] = exchangesFileSchema.parse([JSON.parse(JSON.stringify(unsaid))]);
    const [verified] = await verifyExchanges(client, [entry as Exchange]);
    expect(verified).toMatchObject({ ...entry, ...known });
    expect(await verifyAgain(client, [verified as VerifiedExchange])).toEqual([verified]);
  });

  it.each([
    ['no contract at the router', () => ({ ...v2, router: NOTHING_HERE }), 'no contract at its router'],
    ['no contract at the factory', () => ({ ...v3, factory: NOTHING_HERE }), 'no contract at its factory'],
    ['no contract at the quoter', () => ({ ...v3, quoter: NOTHING_HERE }), 'no contract at its quoter'],
    ['another factory', () => ({ ...v2, factory: camelot.factory }), 'router.factory() is'],
    [
      'a factory of another shape',
      () => ({ ...v2, factory: v3.factory }),
      'its factory has no getPair(address,address)',
    ],
    ['another wrapped coin', () => ({ ...v2, wrappedNative: chain.tokens.both }), 'router.WETH() is'],
    ['another wrapped coin', () => ({ ...v3, wrappedNative: chain.tokens.both }), 'router.WETH9() is'],
    ["V2's router", () => ({ ...v3, router: v2.router }), 'its router has no WETH9()'],
    ['a token as router', () => ({ ...v3, router: chain.tokens.both }), 'its router has no factory()'],
    ['a router as quoter', () => ({ ...v3, quoter: v3.router }), 'its quoter has no quoteExactInputSingle('],
    [
      'a V3 factory as Algebra',
      () => ({ ...exchange('algebra'), factory: v3.factory }),
      'its factory has no poolByPair(',
    ],
    [
      'a V3 router as Algebra',
      () => ({ ...exchange('algebra'), router: v3.router }),
      'its router has no WNativeToken()',
    ],
    [
      'a V3 quoter as Algebra',
      () => ({ ...exchange('algebra'), quoter: (v302 as { quoter?: unknown }).quoter }),
      'its quoter has no WNativeToken()',
    ],
    ['the other router version', () => ({ ...v3, routerHasDeadline: false }), 'has a deadline'],
    ['the other router version', () => ({ ...v302, routerHasDeadline: true }), 'has no deadline'],
    ['the other quoter version', () => ({ ...v3, quoterVersion: 1 }), 'of version 2'],
    ['the other quoter version', () => ({ ...v302, quoterVersion: 2 }), 'of version 1'],
    // hyperevm § 2.0: factory(), WETH() and quotes of this router match Uniswap V2's, but every swap reverts.
    [
      'a Camelot router as V2',
      () => ({ ...camelot, kind: 'uniswap-v2' }),
      'its router has no swapExactETHForTokensSupp',
    ],
    [
      'a V2 router as Camelot',
      () => ({ ...v2, kind: 'camelot-v2' }),
      'its router has no swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,address,uint256)',
    ],
  ])('finds %s, and names exchange and difference', async (_, wrong, difference) => {
    const entry = wrong() as Exchange;
    const [failure] = await verifyExchanges(client, [entry]);
    expect(failure).toMatchObject({ code: 'WRONG_EXCHANGE', exchangeId: entry.id });
    expect(String(failure)).toContain(`'${entry.id}'`);
    expect(String(failure)).toContain(difference);
  });

  it.each([
    ['two requests', false, ['eth_call', 'eth_call']],
    // Without recipient-less calls, only the code shows the functions (docs/adr/0025).
    ['a request for each contract and one', true, [...Array.from({ length: 10 }, () => 'eth_getCode'), 'eth_call']],
  ])('checks all in %s with equal results', async (_, refuses, expected) => {
    const node = await FaultyNode.start(chain.rpcUrl);
    if (refuses)
      node.fault = (call) =>
        isDeployless(call) ? { error: { code: -32602, message: 'missing field `to`' } } : undefined;
    const asked: string[] = [];
    const onRequest = (method: string, outcome: string) =>
      outcome === 'ok' && method !== 'eth_chainId' && asked.push(method);
    const own = createChainClient({ network: networkOf(chain.chainId), rpcUrls: [node.url], onRequest });
    const all = [v2, v3, { ...camelot, router: v2.router }, v302];
    const verdicts = await verifyExchanges(own, all);
    expect(verdicts.map((verdict) => verdict instanceof Error)).toEqual([false, false, true, false]);
    expect(asked).toEqual(expected);
    expect(verdicts).toEqual(await verifyExchanges(client, all));
    await node.stop();
  });

  it('blames no exchange for a silent endpoint', async () => {
    const silent = createChainClient({
      network: networkOf(chain.chainId),
      rpcUrls: ['http://127.0.0.1:1'],
      retryCount: 0,
    });
    await expect(verifyExchanges(silent, [v2])).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' });
  });
});
