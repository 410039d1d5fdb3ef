import { chainTestClient, type DemoToken, type ExchangeChainPart, startChain, VENUES } from '@maker/local-stack';
import { createWalletClient, http, parseAbi, parseEther, parseGwei, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChainClient, createChainClient } from '../client.ts';
import { ExchangeWatch } from '../exchange-checks/exchange-watch.ts';
import { exchangesFileSchema } from '../exchanges/exchanges.ts';
import { networkOf } from '../networks.ts';
import { Market } from '../pools/market.ts';
import type { Exchange } from '../shapes/shapes.ts';
import { poolOf } from './pool-of.fixture.ts';
import { probeTrade } from './probe-trade.ts';

const ORDER = parseEther('0.0004');
const FEES = { maxFeePerGas: parseGwei('10'), maxPriorityFeePerGas: 0n };

let chain: ExchangeChainPart;
let client: ChainClient;
let market: Market;
const requests: string[] = [];

beforeAll(async () => {
  chain = await startChain({ exchanges: true });
  client = createChainClient({
    network: networkOf(chain.chainId),
    rpcUrls: [chain.rpcUrl],
    onRequest: (method, outcome) => requests.push(`${method} ${outcome}`),
  });
  market = await marketOf(exchangesFileSchema.parse(chain.exchanges));
});
afterAll(() => chain?.stop());

async function marketOf(exchanges: readonly Exchange[]): Promise<Market> {
  return new Market(client, await new ExchangeWatch(client, exchanges).start());
}

async function probe(token: DemoToken, exchangeId?: string, amountWei = ORDER, venue = market) {
  const pool = await poolOf(venue, chain.tokens[token], exchangeId);
  requests.length = 0;
  return probeTrade(client, venue.exchangeOf(pool), pool, amountWei);
}

describe('probeTrade (design § 7)', () => {
  it.each(['uniswap-v2', 'uniswap-v3'])('finds a plain token tradable on %s, in one request', async (exchangeId) => {
    const verdict = await probe('both', exchangeId);
    expect(verdict).toMatchObject({ kind: 'tradable' });
    expect(verdict.kind === 'tradable' && verdict.buyGas).toBeGreaterThan(80_000n);
    expect(requests).toEqual(['eth_call ok']);
  });

  it.each(VENUES.map(({ token }) => token.key))('finds %s tradable on its venue', async (token) => {
    expect(await probe(token)).toMatchObject({ kind: 'tradable' });
  });

  it('separates a Camelot fee from a token fee', async () => {
    const deployer = chain.accounts[0];
    if (!deployer) throw new Error('no owner');
    const wallet = createWalletClient({
      account: privateKeyToAccount(deployer.privateKey),
      chain: client.chain,
      transport: http(chain.rpcUrl),
    });
    const [pool] = await market.pools(chain.tokens.camelotOnly);
    if (!pool) throw new Error('no pair');
    const abi = parseAbi(['function setFeePercent(uint16, uint16)']);
    const call = { address: pool.address, abi, functionName: 'setFeePercent', args: [2000, 100] } as const;
    const hash = await wallet.writeContract({ ...call, ...FEES });
    await client.waitForTransactionReceipt({ hash, pollingInterval: 100 });
    expect(await probe('camelotOnly', 'camelot')).toMatchObject({ kind: 'tradable' });
  });

  it('finds a fee on transfer, with its share', async () => {
    expect(await probe('taxed', 'uniswap-v2')).toEqual({ kind: 'fee_on_transfer', step: 'buy', lostBps: 500n });
  });

  it('finds a token that can be bought and not sold', async () => {
    expect(await probe('honeypot', 'uniswap-v2')).toMatchObject({ kind: 'cannot_sell' });
  });

  it('finds a purchase that buys nothing', async () => {
    expect(await probe('v2Only', 'uniswap-v2', 0n)).toMatchObject({ kind: 'cannot_buy' });
  });

  it('changes nothing on the chain', async () => {
    const before = await market.survey(chain.tokens.both, ORDER);
    await probe('both', 'uniswap-v2', parseEther('100'));
    expect(await market.survey(chain.tokens.both, ORDER)).toEqual(before);
  });

  it('pays from zero where wrapped HYPE is empty', async () => {
    const node = chainTestClient(chain.rpcUrl);
    const held = await client.getBalance({ address: chain.contracts.whype });
    await node.setBalance({ address: chain.contracts.whype, value: 0n });
    await node.setBalance({ address: zeroAddress, value: parseEther('1') });
    expect(await probe('both', 'uniswap-v3', ORDER)).toMatchObject({ kind: 'tradable' });
    expect(requests).toHaveLength(2);
    await node.setBalance({ address: zeroAddress, value: 0n });
    await expect(probe('both', 'uniswap-v3', ORDER)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' });
    await node.setBalance({ address: chain.contracts.whype, value: held });
  });
});
