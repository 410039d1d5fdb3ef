import {
  type ChainClient,
  createChainClient,
  exchangesFileSchema,
  isVerified,
  Market,
  networkOf,
  type Pool,
  type VerifiedExchange,
  verifyExchanges,
} from '@maker/chain';
import { type Exchange, historyOf } from '@maker/chain/venues';
import { ACCOUNT_INDEX, type ExchangeChainPart, startChain } from '@maker/local-stack';
import { ascending } from '@maker/rules';
import {
  type Abi,
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  type Hash,
  type Hex,
  http,
  maxUint256,
  type PublicClient,
  parseAbi,
  parseEther,
  parseGwei,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlacedOrder } from './compare-prices.ts';
import { type JudgedPrices, judgePrices } from './judge-prices.ts';

const GAS_PRICE = parseGwei('1');
const ORDER = parseEther('0.0004');
const LATER = 9_999_999_999n;
const ERC20 = parseAbi(['function approve(address, uint256)']);

let chain: ExchangeChainPart;
let client: ChainClient;
/** The reader of a receipt has a client of its own. */
let reader: PublicClient;
let test: ReturnType<typeof testClientOf>;
let exchanges: readonly VerifiedExchange[];
let market: Market;
/** Account that places the orders, and a stranger with many tokens. */
let buyer: ReturnType<typeof accountAt>;
let stranger: ReturnType<typeof accountAt>;
const nonces = new Map<Address, number>();

const testClientOf = (url: string) => createTestClient({ mode: 'anvil', transport: http(url) });
const accountAt = (index: number) => privateKeyToAccount(chain.accounts[index]?.privateKey ?? '0x');

beforeAll(async () => {
  chain = await startChain({ exchanges: true, blockSeconds: 0 });
  client = createChainClient({ network: networkOf(chain.chainId), rpcUrls: [chain.rpcUrl] });
  reader = createPublicClient({ chain: client.chain, transport: http(chain.rpcUrl) });
  test = testClientOf(chain.rpcUrl);
  exchanges = (await verifyExchanges(client, exchangesFileSchema.parse(chain.exchanges))).filter(isVerified);
  market = new Market(client, exchanges);
  stranger = accountAt(ACCOUNT_INDEX.deployer);
  buyer = accountAt(ACCOUNT_INDEX.payer);
  for (const { router } of exchanges) await send(stranger, chain.tokens.both, approveData(router));
  await test.mine({ blocks: 1 });
});
afterAll(() => chain?.stop());

const approveData = (spender: Address) => dataOf(ERC20, 'approve', [spender, maxUint256]);
const dataOf = (abi: Abi, functionName: string, args: readonly unknown[]) =>
  encodeFunctionData({ abi, functionName, args });

/** Sends without waiting for a block. */
async function send(account: typeof buyer, to: Address, data: Hex, value = 0n): Promise<Hash> {
  const wallet = createWalletClient({ account, chain: client.chain, transport: http(chain.rpcUrl) });
  const nonce = nonces.get(account.address) ?? (await reader.getTransactionCount({ address: account.address }));
  nonces.set(account.address, nonce + 1);
  return wallet.sendTransaction({
    to,
    data,
    value,
    nonce,
    gas: 500_000n,
    maxFeePerGas: GAS_PRICE,
    maxPriorityFeePerGas: 0n,
  });
}

function exchangeOf(kind: Exchange['kind']): VerifiedExchange {
  const found = exchanges.find((exchange) => exchange.kind === kind);
  if (!found) throw new Error(`no ${kind}`);
  return found;
}

async function poolAt(kind: Exchange['kind']): Promise<Pool> {
  const { id } = exchangeOf(kind);
  const pool = (await market.pools(chain.tokens.both)).find(({ exchangeId }) => exchangeId === id);
  if (!pool) throw new Error(`no pool of ${kind}`);
  return pool;
}

async function quoted(kind: Exchange['kind']): Promise<bigint> {
  const pool = await poolAt(kind);
  const surveys = await market.survey(chain.tokens.both, ORDER);
  return surveys.find((survey) => survey.pool.address === pool.address)?.tokensOut ?? 0n;
}

async function buy(account: typeof buyer, kind: Exchange['kind'], amountInWei: bigint): Promise<Hash> {
  const order = { pool: await poolAt(kind), amountInWei, minimumTokensOut: 0n, recipient: account.address };
  const { to, data, value } = market.buyTransaction({ ...order, deadlineSeconds: LATER });
  return send(account, to, data, value);
}

/** Sells on Uniswap V2. */
async function sell(account: typeof buyer, amount: bigint): Promise<Hash> {
  const { router, wrappedNative } = exchangeOf('uniswap-v2');
  const args = [amount, 0n, [chain.tokens.both, wrappedNative], account.address, LATER];
  return send(account, router, dataOf(SALE, 'swapExactTokensForETHSupportingFeeOnTransferTokens', args));
}

/** An order as a receipt shows it. */
async function placed(hash: Hash, number: number, kind: Exchange['kind']): Promise<PlacedOrder> {
  const receipt = await reader.getTransactionReceipt({ hash });
  const { value } = await reader.getTransaction({ hash });
  const arrived = receipt.logs.filter(
    ({ address, topics }) =>
      address.toLowerCase() === chain.tokens.both.toLowerCase() &&
      topics[0] === TRANSFER_TOPIC &&
      topics[2]?.toLowerCase().endsWith(buyer.address.slice(2).toLowerCase()),
  );
  return {
    number,
    transactionHash: hash,
    blockNumber: Number(receipt.blockNumber),
    transactionIndex: receipt.transactionIndex,
    pool: (await poolAt(kind)).address.toLowerCase() as Address,
    tradeWei: value,
    gasPriceWei: receipt.effectiveGasPrice,
    receivedTokens: arrived.reduce((sum, { data }) => sum + BigInt(data), 0n),
  };
}

const SALE = parseAbi([
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
]);

const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

function judged(orders: readonly PlacedOrder[], requests?: string[]): Promise<JudgedPrices> {
  const counting = new Proxy(reader, {
    get(target, name, receiver) {
      if (requests && (name === 'call' || name === 'getLogs')) requests.push(String(name));
      return Reflect.get(target, name, receiver);
    },
  });
  return judgePrices(counting, {
    venues: exchanges,
    token: chain.tokens.both,
    orders,
    blocksPerRequest: 50,
    minimumLiquidityWei: parseEther('10'),
  });
}

describe('prices of orders (docs/receipt.md)', () => {
  it('equal what the best pool would have given after gas', async () => {
    const orders: PlacedOrder[] = [];
    const expected: bigint[] = [];
    for (let number = 1; number <= 6; number += 1) {
      await buy(stranger, number % 2 ? 'uniswap-v2' : 'uniswap-v3', parseEther('3'));
      await test.mine({ blocks: 1 });
      await sell(stranger, parseEther('2500'));
      await test.mine({ blocks: number === 3 ? 120 : 4 });
      const offers = await Promise.all(
        (['uniswap-v2', 'uniswap-v3'] as const).map(async (kind) => {
          const { first, later } = historyOf({ kind }).orderGas;
          return { kind, tokens: await quoted(kind), gas: number === 1 ? first : later };
        }),
      );
      const kind = number % 3 === 0 ? 'uniswap-v3' : 'uniswap-v2';
      const hash = await buy(buyer, kind, ORDER);
      await test.mine({ blocks: 1 });
      const order = await placed(hash, number, kind);
      orders.push(order);
      const own = offers.find((offer) => offer.kind === kind);
      expect(order.receivedTokens).toBe(own?.tokens);
      const costWei = (gas = 0n) => ORDER + gas * order.gasPriceWei;
      const inOwnCost = offers.map(({ tokens, gas }) => (tokens * costWei(own?.gas)) / costWei(gas));
      expected.push(inOwnCost.sort(ascending).at(-1) ?? 0n);
    }
    const requests: string[] = [];
    const prices = await judged(orders, requests);
    expect(prices.incomplete).toEqual([]);
    expect(prices.orders.map(({ bestTokens }) => bestTokens)).toEqual(expected);
    expect(prices.orders.some(({ receivedTokens, bestTokens }) => receivedTokens < bestTokens)).toBe(true);
    expect(requests.length).toBeLessThanOrEqual(20);
  });

  it('names an account that bought before and sold after', async () => {
    await test.mine({ blocks: 3 });
    const alone = await quoted('uniswap-v2');
    await buy(stranger, 'uniswap-v2', parseEther('40'));
    const hash = await buy(buyer, 'uniswap-v2', ORDER);
    await sell(stranger, parseEther('39000'));
    await test.mine({ blocks: 1 });
    const order = await placed(hash, 1, 'uniswap-v2');
    const [judgedOrder] = (await judged([order])).orders;
    expect(judgedOrder?.turnArounds).toMatchObject([
      { account: stranger.address.toLowerCase(), lostTokens: alone - order.receivedTokens },
    ]);
  });
});
