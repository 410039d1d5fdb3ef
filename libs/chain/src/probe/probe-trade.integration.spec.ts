import { createRequire } from 'node:module';
import { chainTestClient, type DemoToken, type ExchangeChainPart, startChain } from '@maker/local-stack';
import { createWalletClient, http, parseEther, parseGwei, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChainClient, createChainClient } from '../client.ts';
import { verifyExchanges } from '../exchange-checks/verify-exchanges.ts';
import { type Exchange, exchangesFileSchema } from '../exchanges/exchanges.ts';
import { networkOf } from '../networks.ts';
import { Market } from '../pools/market.ts';
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
  return new Market(client, await verifyExchanges(client, exchanges));
}

async function probe(token: DemoToken, exchangeId: string, amountWei = ORDER, venue = market) {
  const pools = await venue.pools(chain.tokens[token]);
  const pool = pools.find((candidate) => candidate.exchangeId === exchangeId);
  if (!pool) throw new Error(`${token} has no pool on ${exchangeId}`);
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
    const before = await market.liquidity(chain.tokens.both);
    await probe('both', 'uniswap-v2', parseEther('100'));
    expect(await market.liquidity(chain.tokens.both)).toEqual(before);
  });

  it('works with the first version of the quoter', async () => {
    const artifact = '@uniswap/v3-periphery/artifacts/contracts/lens/Quoter.sol/Quoter.json';
    const { abi, bytecode } = createRequire(import.meta.url)(artifact);
    const [, v3] = exchangesFileSchema.parse(chain.exchanges);
    const quoter = await deploy(abi, bytecode, [v3?.factory, v3?.wrappedNative]);
    const older = await marketOf([{ ...v3, quoter } as Exchange]);
    expect(older.exchanges).toMatchObject([{ quoterVersion: 1 }]);
    expect(await probe('both', 'uniswap-v3', ORDER, older)).toMatchObject({ kind: 'tradable' });
    const [quote] = await older.quotes(chain.tokens.v3Only, ORDER);
    expect(quote?.tokensOut).toBe((await market.bestQuote(chain.tokens.v3Only, ORDER))?.tokensOut);
  });

  it('pays from the zero address where wrapped HYPE holds no HYPE', async () => {
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

async function deploy(abi: [], bytecode: `0x${string}`, args: readonly unknown[]): Promise<`0x${string}`> {
  const spare = chain.accounts[3];
  if (!spare) throw new Error('no account to deploy with');
  const account = privateKeyToAccount(spare.privateKey);
  const wallet = createWalletClient({ account, chain: client.chain, transport: http(chain.rpcUrl) });
  const hash = await wallet.deployContract({ abi, bytecode, args, ...FEES } as never);
  const { contractAddress } = await client.waitForTransactionReceipt({ hash, pollingInterval: 100 });
  if (!contractAddress) throw new Error('not deployed');
  return contractAddress;
}
