import { ACCOUNT_INDEX, type ExchangeChainPart, startChain } from '@maker/local-stack';
import {
  type Abi,
  type Address,
  createWalletClient,
  http,
  maxUint256,
  parseAbi,
  parseEther,
  parseGwei,
  zeroAddress,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChainClient, createChainClient } from '../client.ts';
import { ExchangeWatch } from '../exchange-checks/exchange-watch.ts';
import { exchangesFileSchema } from '../exchanges/exchanges.ts';
import { networkOf } from '../networks.ts';
import { Market } from './market.ts';

const ORDER = parseEther('0.0004');
const GAS_PRICE = parseGwei('0.1');
const FEES = { maxFeePerGas: parseGwei('10'), maxPriorityFeePerGas: 0n, gas: 8_000_000n };
const FACTORIES = parseAbi([
  'function createPair(address, address)',
  'function createPool(address, address, uint24)',
  'function createPool(address, address, bytes)',
]);
const POOL = parseAbi(['function initialize(uint160)']);
const WRAPPED = parseAbi(['function deposit() payable', 'function approve(address, uint256)']);
const V3_POSITIONS = parseAbi([
  'function createAndInitializePoolIfNecessary(address, address, uint24, uint160)',
  'function mint((address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint256 amount0, uint256 amount1, uint256 least0, uint256 least1, address recipient, uint256 deadline))',
]);
const ALGEBRA_POSITIONS = parseAbi([
  'function createAndInitializePoolIfNecessary(address, address, address, uint160, bytes)',
  'function mint((address token0, address token1, address deployer, int24 tickLower, int24 tickUpper, uint256 amount0, uint256 amount1, uint256 least0, uint256 least1, address recipient, uint256 deadline))',
]);
/** A price of 1, at tick 0. */
const EVEN = 2n ** 96n;
/** Ticks far from tick 0, on either side. */
const FAR_TICKS = { tickLower: 6000, tickUpper: 12_000 };
/** A unit of the token for more HYPE than exists, and the reverse. */
const ABSURD_PRICES = [4_295_128_740n, 2n ** 159n];
/** Amount of one side. */
const DEPTH = parseEther('100');
const ANY_DEPTH = { minimumLiquidityWei: 1n, budgetWei: parseEther('1') };

let chain: ExchangeChainPart;
let client: ChainClient;
let market: Market;

beforeAll(async () => {
  chain = await startChain({ exchanges: true, clock: { blockMs: 200, gainedSeconds: 1 } });
  client = createChainClient({ network: networkOf(chain.chainId), rpcUrls: [chain.rpcUrl] });
  market = new Market(client, await new ExchangeWatch(client, exchangesFileSchema.parse(chain.exchanges)).start());
});
afterAll(() => chain?.stop());

async function send(
  address: Address,
  abi: Abi,
  functionName: string,
  args: readonly unknown[],
  value = 0n,
): Promise<void> {
  const account = privateKeyToAccount(chain.accounts[ACCOUNT_INDEX.deployer]?.privateKey ?? '0x');
  const wallet = createWalletClient({ account, chain: client.chain, transport: http(chain.rpcUrl) });
  const hash = await wallet.writeContract({ address, abi, functionName, args, value, ...FEES });
  const { status } = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 });
  expect(status).toBe('success');
}

/** The unusable pools of a token: found, but neither deep nor quoted. */
async function expectIgnored(token: Address, exchangeIds: readonly string[]): Promise<void> {
  const surveys = await market.survey(token, ORDER);
  expect(surveys.map(({ pool }) => pool.exchangeId).sort()).toEqual(exchangeIds);
  for (const survey of surveys) expect(survey).toMatchObject({ liquidityWei: 0n, tokensOut: undefined });
  expect(await market.quotes(token, ORDER, GAS_PRICE)).toEqual([]);
  expect(await market.deepMarket(token, ANY_DEPTH, GAS_PRICE)).toEqual({ quotes: [], states: [] });
}

describe('unusable pools', () => {
  it('are ignored when empty, unpriced or absurdly priced', async () => {
    const { whype, v2Factory, camelotFactory, v3Factory, algebraFactory } = chain.contracts;
    const token = chain.tokens.unpaired;
    for (const factory of [v2Factory, camelotFactory]) await send(factory, FACTORIES, 'createPair', [token, whype]);
    for (const fee of [500, 3000]) await send(v3Factory, FACTORIES, 'createPool', [token, whype, fee]);
    await send(algebraFactory, FACTORIES, 'createPool', [token, whype, '0x']);
    const ids = ['algebra', 'camelot', 'uniswap-v2', 'uniswap-v3', 'uniswap-v3'];
    await expectIgnored(token, ids);
    const unpriced = (await market.pools(token)).filter(({ exchangeId }) => /algebra|v3/.test(exchangeId));
    for (const [index, { address }] of unpriced.entries())
      await send(address, POOL, 'initialize', [ABSURD_PRICES[index % 2]]);
    await expectIgnored(token, ids);
  });

  it.each(['whype', 'token'] as const)('are ignored when all their %s is out of range', async (side) => {
    const { whype, v3PositionManager, algebraPositionManager } = chain.contracts;
    const token = side === 'whype' ? chain.tokens.v2Only : chain.tokens.camelotOnly;
    const own = await market.pools(token);
    const [token0, token1] = BigInt(token) < BigInt(whype) ? [token, whype] : [whype, token];
    // Above the price a position is all token0, below it all token1.
    const isFirst = (side === 'whype' ? whype : token) === token0;
    const { tickLower, tickUpper } = FAR_TICKS;
    const amounts = isFirst ? { amount0: DEPTH, amount1: 0n } : { amount0: 0n, amount1: DEPTH };
    const position = {
      ...{ token0, token1, ...amounts, least0: 0n, least1: 0n },
      ...(isFirst ? FAR_TICKS : { tickLower: -tickUpper, tickUpper: -tickLower }),
      ...{ recipient: chain.contracts.v3Factory, deadline: maxUint256 },
    };
    await send(whype, WRAPPED, 'deposit', [], 2n * DEPTH);
    for (const [manager, abi, own, more] of [
      [v3PositionManager, V3_POSITIONS, { fee: 3000 }, []],
      [algebraPositionManager, ALGEBRA_POSITIONS, { deployer: zeroAddress }, ['0x']],
    ] as const) {
      for (const spent of [whype, token]) await send(spent, WRAPPED, 'approve', [manager, maxUint256]);
      const [kind] = Object.values(own);
      await send(manager, abi, 'createAndInitializePoolIfNecessary', [token0, token1, kind, EVEN, ...more]);
      await send(manager, abi, 'mint', [{ ...position, ...own }]);
    }
    const others = (await market.survey(token, ORDER)).filter(({ pool }) => pool.address !== own[0]?.address);
    expect(others.map(({ pool }) => pool.exchangeId).sort()).toEqual(['algebra', 'uniswap-v3']);
    for (const { liquidityWei } of others) expect(liquidityWei).toBe(0n);
    const { quotes } = await market.deepMarket(token, ANY_DEPTH, GAS_PRICE);
    expect(quotes.map(({ pool }) => pool.address)).toEqual([own[0]?.address]);
    if (side === 'whype') for (const { tokensOut } of others) expect(tokensOut).toBeUndefined();
  });
});
