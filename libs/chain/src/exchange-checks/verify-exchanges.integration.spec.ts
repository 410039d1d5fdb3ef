import { type ExchangeChainPart, startChain } from '@maker/local-stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChainClient, createChainClient } from '../client.ts';
import { type Exchange, exchangesFileSchema } from '../exchanges/exchanges.ts';
import { networkOf } from '../networks.ts';
import { verifyExchanges } from './verify-exchanges.ts';

const NOTHING_HERE = '0x00000000000000000000000000000000000000aa';

let chain: ExchangeChainPart;
let client: ChainClient;
let v2: Exchange;
let v3: Exchange;

beforeAll(async () => {
  chain = await startChain({ exchanges: true });
  client = createChainClient({ network: networkOf(chain.chainId), rpcUrls: [chain.rpcUrl] });
  [v2, v3] = exchangesFileSchema.parse(chain.exchanges) as [Exchange, Exchange];
});
afterAll(() => chain?.stop());

describe('verifyExchanges (design § 7)', () => {
  it('adds what only the chain knows: fee tiers, router and quoter versions', async () => {
    const unsaid = { ...v3, routerHasDeadline: undefined, quoterVersion: undefined };
    const verified = await verifyExchanges(client, [v2, exchangesFileSchema.parse([unsaid])[0] as Exchange]);
    expect(verified[0]).toEqual(v2);
    expect(verified[1]).toMatchObject({ routerHasDeadline: true, quoterVersion: 2, feeTiers: [500, 3000, 10000] });
  });

  it.each([
    ['no contract at the router', () => ({ ...v2, router: NOTHING_HERE }), 'no contract at its router'],
    ['no contract at the factory', () => ({ ...v3, factory: NOTHING_HERE }), 'no contract at its factory'],
    ['no contract at the quoter', () => ({ ...v3, quoter: NOTHING_HERE }), 'no contract at its quoter'],
    ['another factory', () => ({ ...v2, factory: v3.factory }), 'router.factory() is'],
    ['another wrapped coin', () => ({ ...v2, wrappedNative: chain.tokens.both }), 'router.WETH() is'],
    ['another wrapped coin', () => ({ ...v3, wrappedNative: chain.tokens.both }), 'router.WETH9() is'],
    ["the other shape's router", () => ({ ...v3, router: v2.router }), 'router.factory() is'],
    ['a token as router', () => ({ ...v3, router: chain.tokens.both }), 'router.factory() gives no address'],
    ['a router as quoter', () => ({ ...v3, quoter: v3.router }), 'its quoter has no quoteExactInputSingle'],
    ['the other router version', () => ({ ...v3, routerHasDeadline: false }), 'has a deadline'],
    ['the other quoter version', () => ({ ...v3, quoterVersion: 1 }), 'of version 2'],
  ])('stops at %s and names exchange and difference', async (_, wrong, difference) => {
    const exchange = wrong() as Exchange;
    const failure = await verifyExchanges(client, [exchange]).catch((error: Error) => error);
    expect(failure).toMatchObject({ code: 'WRONG_EXCHANGE', exchangeId: exchange.id });
    expect(String(failure)).toContain(`'${exchange.id}'`);
    expect(String(failure)).toContain(difference);
  });

  it('does not call an exchange wrong because the endpoint is silent', async () => {
    const silent = createChainClient({
      network: networkOf(chain.chainId),
      rpcUrls: ['http://127.0.0.1:1'],
      retryCount: 0,
    });
    await expect(verifyExchanges(silent, [v2])).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' });
  });
});
