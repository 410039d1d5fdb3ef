import { chainTestClient, type ExchangeChainPart, startChain, VENUES } from '@maker/local-stack';
import { priceOf } from '@maker/rules';
import { type Address, createWalletClient, http, parseAbi, parseEther, parseGwei } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChainClient, createChainClient } from '../client.ts';
import { ExchangeWatch } from '../exchange-checks/exchange-watch.ts';
import { exchangesFileSchema } from '../exchanges/exchanges.ts';
import { networkOf } from '../networks.ts';
import { Market } from './market.ts';
import { poolTradeOf } from './pool-trade.ts';
import { tokensReceived } from './tokens-received.ts';

const ORDER = parseEther('0.0004');
/** HyperEVM's lowest base fee. */
const GAS_PRICE = parseGwei('0.1');
const FEES = { maxFeePerGas: parseGwei('10'), maxPriorityFeePerGas: 0n };
/** Code of a contract that is only `INVALID`. */
const USES_ALL_GAS = '0xfe';
/** One token for each exchange of the local chain, and so for each shape. */
const ON_ONE_VENUE = VENUES.map(({ token }) => token.key);
const network = networkOf(31337);

let chain: ExchangeChainPart;
let client: ChainClient;
let market: Market;
const requests: string[] = [];

beforeAll(async () => {
  chain = await startChain({ exchanges: true, clock: { blockMs: 200, gainedSeconds: 1 } });
  client = createChainClient({ network, rpcUrls: [chain.rpcUrl], onRequest: (method) => requests.push(method) });
  market = new Market(client, await new ExchangeWatch(client, exchangesFileSchema.parse(chain.exchanges)).start());
});
afterAll(() => chain?.stop());

const ids = (pools: readonly { pool: { exchangeId: string } }[]) => pools.map(({ pool }) => pool.exchangeId);

describe('Market', () => {
  it('finds both shapes with liquidity in two requests', async () => {
    requests.length = 0;
    const pools = await market.survey(chain.tokens.both, ORDER);
    expect(requests).toEqual(['eth_call', 'eth_call']);
    expect(ids(pools).sort()).toEqual(['uniswap-v2', 'uniswap-v3']);
    for (const { liquidityWei } of pools) {
      expect(liquidityWei).toBeGreaterThan(parseEther('2999.99'));
      expect(liquidityWei).toBeLessThanOrEqual(parseEther('3000'));
    }
  });

  it('finds nothing for unknown tokens or wrapped HYPE', async () => {
    expect(await market.survey(chain.tokens.unpaired, ORDER)).toEqual([]);
    expect(await market.survey(chain.contracts.whype, ORDER)).toEqual([]);
    expect(await market.survey('0x00000000000000000000000000000000000000aa', ORDER)).toEqual([]);
    expect(await bestQuote(chain.tokens.unpaired)).toBeUndefined();
  });

  it('quotes all known pools in one request', async () => {
    await market.quotes(chain.tokens.both, ORDER, GAS_PRICE);
    requests.length = 0;
    const quotes = await market.quotes(chain.tokens.both, ORDER, GAS_PRICE);
    expect(requests).toEqual(['eth_call']);
    expect(quotes).toHaveLength(2);
  });

  it('quotes best first: the V3 pool with the lower fee', async () => {
    const quote = await bestQuote(chain.tokens.v3Only);
    expect(quote).toMatchObject({ pool: { exchangeId: 'uniswap-v3', feeTier: 500 }, amountInWei: ORDER });
  });

  it('quotes the cheapest venue after gas first', async () => {
    const atFloor = await market.quotes(chain.tokens.both, ORDER, GAS_PRICE);
    expect(ids(atFloor)).toEqual(['uniswap-v2', 'uniswap-v3']);
    // A tenth of a percent more does not pay for 28,000 gas, which are 0.7 % of an order.
    const [v2, v3] = atFloor;
    if (!v2 || !v3) throw new Error('two quotes');
    const better = { ...v3, tokensOut: v2.tokensOut + v2.tokensOut / 1000n };
    expect(ids(market.ranked([v2, better], 0n))).toEqual(['uniswap-v3', 'uniswap-v2']);
    expect(ids(market.ranked([better, v2], GAS_PRICE))).toEqual(['uniswap-v2', 'uniswap-v3']);
  });

  it('refuses a stable pair with a reason', async () => {
    expect(await market.survey(chain.tokens.stableOnly, ORDER)).toMatchObject([
      { pool: { exchangeId: 'camelot' }, refusal: 'stable_pair', tokensOut: undefined },
    ]);
    expect(await market.quotes(chain.tokens.stableOnly, ORDER, GAS_PRICE)).toEqual([]);
  });

  it('quotes a Camelot pair by its current direction fee', async () => {
    const token = chain.tokens.camelotOnly;
    const before = await bestQuote(token);
    if (!before) throw new Error('no quote');
    const hypeFirst = BigInt(chain.contracts.whype) < BigInt(token);
    await setFees(before.pool.address, hypeFirst ? [2000, 100] : [100, 2000]);
    const after = await bestQuote(token);
    // 98 % of the amount without a fee; before it was 99.7 %.
    expect(Number(after?.tokensOut) / Number(before.tokensOut)).toBeCloseTo(0.98 / 0.997, 6);
    await setFees(before.pool.address, hypeFirst ? [100, 2000] : [2000, 100]);
    expect((await bestQuote(token))?.tokensOut).toBeGreaterThan(before.tokensOut);
    await setFees(before.pool.address, [300, 300]);
  });

  it('drops an excluded exchange’s pools until it returns', async () => {
    const all = market.exchanges;
    await market.quotes(chain.tokens.both, ORDER, GAS_PRICE);
    market.use(all.filter(({ id }) => id !== 'uniswap-v2'));
    expect(ids(await market.quotes(chain.tokens.both, ORDER, GAS_PRICE))).toEqual(['uniswap-v3']);
    market.use(all);
    expect(await market.quotes(chain.tokens.both, ORDER, GAS_PRICE)).toHaveLength(2);
  });

  it('reads the same without Multicall3, request by request', async () => {
    const { multicall3: _, ...others } = network;
    const plain = createChainClient({ network: others as typeof network, rpcUrls: [chain.rpcUrl] });
    const slower = new Market(plain, market.exchanges);
    expect(await slower.survey(chain.tokens.both, ORDER)).toEqual(await market.survey(chain.tokens.both, ORDER));
    expect(ids(await slower.quotes(chain.tokens.both, ORDER, GAS_PRICE)).sort()).toEqual(['uniswap-v2', 'uniswap-v3']);
  });

  it('fails, never reports no pools, without an answer', async () => {
    const silent = createChainClient({ network, rpcUrls: ['http://127.0.0.1:1'], retryCount: 0 });
    const blind = new Market(silent, market.exchanges);
    await expect(blind.survey(chain.tokens.both, ORDER)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' });
  });

  it.each(ON_ONE_VENUE)('buys nothing from the gas-burning pool of %s', async (name) => {
    const token = chain.tokens[name];
    const [found] = await market.pools(token);
    const bytecode = (await client.getCode({ address: found?.address ?? token })) ?? '0x';
    const node = chainTestClient(chain.rpcUrl);
    await node.setCode({ address: found?.address ?? token, bytecode: USES_ALL_GAS });
    expect(await bestQuote(token)).toBeUndefined();
    const { pools, holderTokens } = await market.samples(token, [ORDER, 2n * ORDER, 4n * ORDER], token);
    expect(holderTokens).toBe(0n);
    expect(pools.flatMap(({ samples }) => samples)).toEqual([]);
    await node.setCode({ address: found?.address ?? token, bytecode });
    expect((await bestQuote(token))?.pool).toEqual(found);
  });

  it('returns the block of its samples', async () => {
    const height = async () => Number(await client.getBlockNumber({ cacheTime: 0 }));
    const before = await height();
    const { blockNumber } = await market.samples(chain.tokens.both, [ORDER], chain.tokens.both);
    expect(blockNumber).toBeGreaterThanOrEqual(before);
    expect(blockNumber).toBeLessThanOrEqual(await height());
  });

  it('quotes a good pool beside a gas burner', async () => {
    const [broken, good] = await market.quotes(chain.tokens.both, ORDER, GAS_PRICE);
    const node = chainTestClient(chain.rpcUrl);
    const address = broken?.pool.address ?? '0x';
    const bytecode = (await client.getCode({ address })) ?? '0x';
    await node.setCode({ address, bytecode: USES_ALL_GAS });
    expect(ids(await market.quotes(chain.tokens.both, ORDER, GAS_PRICE))).toEqual([good?.pool.exchangeId]);
    await node.setCode({ address, bytecode });
  });

  it.each(ON_ONE_VENUE)('buys the quote in %s within the gas limit', async (name) => {
    const token = chain.tokens[name];
    const { receipt, quote, recipient, gasLimit } = await buy(token, 0n);
    expect(receipt.status).toBe('success');
    expect(tokensReceived(receipt, token, recipient)).toBe(quote.tokensOut);
    expect(receipt.gasUsed).toBeLessThan((gasLimit * 9n) / 10n);
  });

  it.each([
    ['v2Only', 3000n],
    ['v3Only', 500n],
    ['camelotOnly', 3000n],
    ['router02Only', undefined],
  ] as const)('reads price change and fee of %s', async (name, feePpm) => {
    const one = await buy(chain.tokens[name], 0n);
    const other = await buy(chain.tokens[name], 0n);
    const first = poolTradeOf(one.receipt, one.quote.pool.feeTier);
    const second = poolTradeOf(other.receipt, other.quote.pool.feeTier);
    if (!first || !second) throw new Error('the events show no trade');
    expect(first.priceAfterX96).toBeGreaterThan(first.priceBeforeX96);
    // No one traded between the two, and the paid price without the fee lies between both prices.
    expect(millionths(second.priceBeforeX96, first.priceAfterX96)).toBeLessThanOrEqual(1n);
    const paidX96 = priceOf(ORDER - first.poolFeeWei, tokensReceived(one.receipt, chain.tokens[name], one.recipient));
    expect(paidX96).toBeGreaterThan(first.priceBeforeX96);
    expect(paidX96).toBeLessThan(first.priceAfterX96);
    const expectedPpm = feePpm ?? BigInt(one.quote.pool.feeTier ?? 0);
    expect(millionths(first.poolFeeWei, (ORDER * expectedPpm) / 1_000_000n)).toBeLessThanOrEqual(1n);
  });

  it('buys at its quote while a plugin changes the fee', async () => {
    const token = chain.tokens.algebraOnly;
    const feesPpm: bigint[] = [];
    for (const more of [0n, 0n, 0n]) {
      const { receipt, quote, recipient } = await buy(token, more);
      expect(tokensReceived(receipt, token, recipient)).toBe(quote.tokensOut);
      const trade = poolTradeOf(receipt);
      if (!trade) throw new Error('the events show no trade');
      feesPpm.push((trade.poolFeeWei * 1_000_000n + ORDER / 2n) / ORDER);
    }
    expect(feesPpm).toEqual(feesPpm[0] === 500n ? [500n, 3000n, 500n] : [3000n, 500n, 3000n]);
  });

  it.each(ON_ONE_VENUE)('buys nothing below the minimum in the pool of %s', async (name) => {
    const { receipt, recipient } = await buy(chain.tokens[name], 1n);
    expect(receipt.status).toBe('reverted');
    expect(tokensReceived(receipt, chain.tokens[name], recipient)).toBe(0n);
  });
});

/** Difference of two values, in millionths, rounded down. */
function millionths(one: bigint, other: bigint): bigint {
  const apart = one > other ? one - other : other - one;
  return (apart * 1_000_000n) / other;
}

async function bestQuote(token: Address) {
  const [best] = await market.quotes(token, ORDER, GAS_PRICE);
  return best;
}

/** Sets the fees of token0 and token1, in thousandths of a percent, as the venue's owner. */
async function setFees(pair: Address, args: readonly [number, number]): Promise<void> {
  const owner = privateKeyToAccount(chain.accounts[0]?.privateKey ?? '0x');
  const wallet = createWalletClient({ account: owner, chain: client.chain, transport: http(chain.rpcUrl) });
  const abi = parseAbi(['function setFeePercent(uint16, uint16)']);
  const hash = await wallet.writeContract({ address: pair, abi, functionName: 'setFeePercent', args, ...FEES });
  await client.waitForTransactionReceipt({ hash, pollingInterval: 100 });
}

/** Buys for a quote with a minimum of `more` tokens above it. */
async function buy(token: `0x${string}`, more: bigint) {
  const quote = await bestQuote(token);
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
