import { type ExchangeChainPart, startChain } from '@maker/local-stack';
import { createWalletClient, http, parseEther, parseGwei } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChainClient, createChainClient } from '../client.ts';
import { verifyExchanges } from '../exchange-checks/verify-exchanges.ts';
import { exchangesFileSchema } from '../exchanges/exchanges.ts';
import { networkOf } from '../networks.ts';
import { Market } from './market.ts';
import { tokensReceived } from './tokens-received.ts';

const ORDER = parseEther('0.0004');
const FEES = { maxFeePerGas: parseGwei('10'), maxPriorityFeePerGas: 0n };
const network = networkOf(31337);

let chain: ExchangeChainPart;
let client: ChainClient;
let market: Market;
const requests: string[] = [];

beforeAll(async () => {
  chain = await startChain({ exchanges: true });
  client = createChainClient({ network, rpcUrls: [chain.rpcUrl], onRequest: (method) => requests.push(method) });
  market = new Market(client, await verifyExchanges(client, exchangesFileSchema.parse(chain.exchanges)));
});
afterAll(() => chain?.stop());

const ids = (pools: readonly { pool: { exchangeId: string } }[]) => pools.map(({ pool }) => pool.exchangeId);

describe('Market', () => {
  it('finds the pools of both shapes, with the HYPE that was put into them, in two requests', async () => {
    requests.length = 0;
    const pools = await market.liquidity(chain.tokens.both);
    expect(requests).toEqual(['eth_call', 'eth_call']);
    expect(ids(pools).sort()).toEqual(['uniswap-v2', 'uniswap-v3']);
    for (const { liquidityWei } of pools) {
      expect(liquidityWei).toBeGreaterThan(parseEther('2999.99'));
      expect(liquidityWei).toBeLessThanOrEqual(parseEther('3000'));
    }
  });

  it('finds nothing for a token without pools, for wrapped HYPE itself, and for an address without code', async () => {
    expect(await market.liquidity(chain.tokens.unpaired)).toEqual([]);
    expect(await market.liquidity(chain.contracts.whype)).toEqual([]);
    expect(await market.liquidity('0x00000000000000000000000000000000000000aa')).toEqual([]);
    expect(await market.bestQuote(chain.tokens.unpaired, ORDER)).toBeUndefined();
  });

  it('quotes every pool with its liquidity in one request once the pools are known (rate limits)', async () => {
    await market.quotes(chain.tokens.both, ORDER);
    requests.length = 0;
    const quotes = await market.quotes(chain.tokens.both, ORDER);
    expect(requests).toEqual(['eth_call']);
    expect(quotes).toHaveLength(2);
  });

  it('quotes best first: the V3 pool with the lower fee', async () => {
    const quote = await market.bestQuote(chain.tokens.v3Only, ORDER);
    expect(quote).toMatchObject({ pool: { exchangeId: 'uniswap-v3', feeTier: 500 }, amountInWei: ORDER });
  });

  it('leaves out pools that are too shallow', async () => {
    expect(await market.bestQuote(chain.tokens.thin, ORDER, parseEther('4.0001'))).toBeUndefined();
    expect(await market.bestQuote(chain.tokens.thin, ORDER, parseEther('3.9'))).toBeDefined();
  });

  it('reads the same without Multicall3, with one request for each read', async () => {
    const { multicall3: _, ...others } = network;
    const plain = createChainClient({ network: others as typeof network, rpcUrls: [chain.rpcUrl] });
    const slower = new Market(plain, market.exchanges);
    expect(await slower.liquidity(chain.tokens.both)).toEqual(await market.liquidity(chain.tokens.both));
    expect(ids(await slower.quotes(chain.tokens.both, ORDER)).sort()).toEqual(['uniswap-v2', 'uniswap-v3']);
  });

  it('fails, and finds no "no pools", when the endpoint does not answer', async () => {
    const silent = createChainClient({ network, rpcUrls: ['http://127.0.0.1:1'], retryCount: 0 });
    const blind = new Market(silent, market.exchanges);
    await expect(blind.liquidity(chain.tokens.both)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' });
  });

  it.each(['v2Only', 'v3Only'] as const)(
    'buys what was quoted, within the gas limit, in the pool of %s',
    async (name) => {
      const token = chain.tokens[name];
      const { receipt, quote, recipient, gasLimit } = await buy(token, 0n);
      expect(receipt.status).toBe('success');
      expect(tokensReceived(receipt, token, recipient)).toBe(quote.tokensOut);
      expect(receipt.gasUsed).toBeLessThan((gasLimit * 9n) / 10n);
    },
  );

  it.each(['v2Only', 'v3Only'] as const)('buys nothing below the minimum in the pool of %s', async (name) => {
    const { receipt, recipient } = await buy(chain.tokens[name], 1n);
    expect(receipt.status).toBe('reverted');
    expect(tokensReceived(receipt, chain.tokens[name], recipient)).toBe(0n);
  });
});

/** Buys for a quote, asking for `more` tokens than it gives. */
async function buy(token: `0x${string}`, more: bigint) {
  const quote = await market.bestQuote(token, ORDER);
  const spare = chain.accounts[3];
  if (!quote || !spare) throw new Error('nothing to buy with');
  const account = privateKeyToAccount(spare.privateKey);
  const { timestamp } = await client.getBlock();
  const { to, data, value, gasLimit } = market.buyTransaction({
    pool: quote.pool,
    amountInWei: ORDER,
    minimumTokensOut: quote.tokensOut + more,
    recipient: account.address,
    deadlineSeconds: timestamp + 60n,
  });
  const wallet = createWalletClient({ account, chain: client.chain, transport: http(chain.rpcUrl) });
  const hash = await wallet.sendTransaction({ to, data, value, gas: gasLimit, ...FEES });
  const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 100 });
  return { receipt, quote, recipient: account.address, gasLimit };
}
