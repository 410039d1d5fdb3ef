import {
  type Address,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  getAddress,
  type Hex,
  pad,
  parseAbi,
  zeroAddress,
} from 'viem';
import { describe, expect, it } from 'vitest';
import { EXCHANGES } from '../exchanges/exchanges.ts';
import { algebraRouterAbi } from './algebra-integral/algebra-integral-exchange.ts';
import { adapterOf, type Exchange, PURCHASE_PROOFS, proofOf, type VerifiedExchange } from './shapes.ts';
import { v3Router02Abi } from './uniswap-v3/uniswap-v3-exchange.ts';

const camelotBuyAbi = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, address referrer, uint256 deadline) payable',
]);
const TOKEN = getAddress(`0x${'dd'.repeat(20)}`);
const WALLET = getAddress(`0x${'11'.repeat(20)}`);
const POOL = getAddress(`0x${'e2'.repeat(20)}`);
const [camelot, v3] = EXCHANGES[999] as [Exchange, Exchange];
const algebra = { ...v3, id: 'algebra', kind: 'algebra-integral' } as Exchange;
const v2: Exchange = { ...camelot, id: 'pairs', kind: 'uniswap-v2' } as Exchange;
const WHYPE = camelot.wrappedNative;

const buy = { amountInWei: 400n, minimumTokensOut: 99n, recipient: WALLET, deadlineSeconds: 1_800_000_120n };

function verified(exchange: Exchange, routerHasDeadline: boolean): VerifiedExchange {
  const known = exchange.kind === 'uniswap-v3' && { routerHasDeadline, quoterVersion: 2 as const, feeTiers: [3000] };
  return { ...exchange, ...known } as VerifiedExchange;
}

describe('a purchase is proven by its shape', () => {
  it.each<[string, VerifiedExchange]>([
    ['Uniswap V2', verified(v2, true)],
    ['Camelot', verified(camelot, true)],
    ['Uniswap V3, SwapRouter', verified(v3, true)],
    ['Uniswap V3, SwapRouter02', verified(v3, false)],
    ['Algebra Integral', verified(algebra, true)],
  ])('%s reads back its adapter’s call', (_, exchange) => {
    const isV3 = exchange.kind === 'uniswap-v3';
    const pool = { exchangeId: exchange.id, address: POOL, token: TOKEN, ...(isV3 && { feeTier: 3000 }) };
    const { data } = adapterOf(exchange).buyTransaction({ pool, ...buy });
    expect(proofOf(exchange).readPurchase(data)).toEqual({
      tokenIn: WHYPE,
      tokenOut: TOKEN,
      recipient: WALLET,
      minimumTokens: 99n,
      amountInWei: isV3 || exchange.kind === algebra.kind ? 400n : null,
      deadlineSeconds: 1_800_000_120n,
      ...(isV3 && { feeTier: 3000 }),
    });
    const readers = PURCHASE_PROOFS.filter((proof) => proof.readPurchase(data) !== undefined);
    expect(readers).toEqual([proofOf(exchange)]);
  });

  it.each([v2, camelot, v3, algebra])('$kind verifies the pool at its factory', (exchange) => {
    const purchase = { tokenIn: WHYPE, tokenOut: TOKEN, feeTier: 500 } as never;
    const { calls, decode } = proofOf(exchange).poolOf(exchange, purchase);
    expect(calls.map(({ to }) => to)).toEqual([exchange.factory]);
    expect(calls[0]?.data.toLowerCase()).toContain(TOKEN.slice(2).toLowerCase());
    expect(decode([pad(POOL)])).toBe(POOL);
    expect(decode([pad(zeroAddress)])).toBeUndefined();
    expect(decode([undefined])).toBeUndefined();
  });

  it('names a paid referrer', () => {
    const data = encodeFunctionData({
      abi: camelotBuyAbi,
      functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
      args: [1n, [WHYPE, TOKEN], WALLET, POOL, 2n],
    });
    expect(proofOf(camelot).readPurchase(data)?.aside).toContain(`names ${POOL} as its referrer`);
  });

  it('detects a price limit', () => {
    const swap = { tokenIn: WHYPE, tokenOut: TOKEN, fee: 3000, recipient: WALLET, amountIn: 1n, amountOutMinimum: 1n };
    const data = encodeFunctionData({
      abi: v3Router02Abi,
      functionName: 'exactInputSingle',
      args: [{ ...swap, sqrtPriceLimitX96: 7n }],
    });
    const multicall = (...calls: Hex[]) =>
      encodeFunctionData({ abi: v3Router02Abi, functionName: 'multicall', args: [5n, calls] });
    expect(proofOf(v3).readPurchase(multicall(data))?.aside).toContain('leaves in the router');
    expect(proofOf(v3).readPurchase(multicall(data, data))).toBeUndefined();
    expect(proofOf(v3).readPurchase(multicall())).toBeUndefined();
    expect(proofOf(v3).readPurchase(data)).toBeUndefined();
    expect(proofOf(v3).readPurchase('0x1234')).toBeUndefined();
  });

  it('names further effects of an Algebra call', () => {
    const swap = {
      tokenIn: WHYPE,
      tokenOut: TOKEN,
      recipient: WALLET,
      deadline: 5n,
      amountIn: 1n,
      amountOutMinimum: 1n,
    };
    const call = (change: { deployer: Address; limitSqrtPrice: bigint }) =>
      encodeFunctionData({ abi: algebraRouterAbi, args: [{ ...swap, ...change }] });
    const aside = (data: Hex) => proofOf(algebra).readPurchase(data)?.aside;
    expect(aside(call({ deployer: zeroAddress, limitSqrtPrice: 0n }))).toBeUndefined();
    expect(aside(call({ deployer: POOL, limitSqrtPrice: 0n }))).toContain(`a pool of the deployer ${POOL}`);
    expect(aside(call({ deployer: zeroAddress, limitSqrtPrice: 7n }))).toContain('leaves in the router');
  });

  it('refuses a path through an intermediate pool', () => {
    const path: Address[] = [WHYPE, POOL, TOKEN];
    const data = encodeFunctionData({
      abi: camelotBuyAbi,
      functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
      args: [1n, path, WALLET, zeroAddress, 2n],
    });
    expect(proofOf(camelot).readPurchase(data)).toBeUndefined();
  });

  it('reads trades in pools’ events by token', () => {
    const pairs = parseAbi([
      'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
    ]);
    const concentrated = parseAbi([
      'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
    ]);
    const pairLog = {
      address: POOL,
      topics: encodeEventTopics({ abi: pairs, args: { sender: WALLET, to: WALLET } }) as Hex[],
      data: encodeAbiParameters(
        Array.from({ length: 4 }, () => ({ type: 'uint256' })),
        // The second token rebased: its growth is an input as well.
        [400n, 7n, 0n, 99n],
      ),
    };
    const v3Log = {
      address: POOL,
      topics: encodeEventTopics({ abi: concentrated, args: { sender: WALLET, recipient: WALLET } }) as Hex[],
      data: encodeAbiParameters(
        ['int256', 'int256', 'uint160', 'uint128', 'int24'].map((type) => ({ type })),
        [-99n, 400n, 1n, 1n, 0],
      ),
    };
    const logs = [pairLog, v3Log];
    expect(proofOf(v2).tradesIn(logs)).toEqual([
      { pool: POOL, amount0In: 400n, amount1In: 7n, amount0Out: 0n, amount1Out: 99n },
    ]);
    expect(proofOf(camelot).tradesIn(logs)).toEqual(proofOf(v2).tradesIn(logs));
    expect(proofOf(v3).tradesIn(logs)).toEqual([
      { pool: POOL, amount0In: 0n, amount1In: 400n, amount0Out: 99n, amount1Out: 0n },
    ]);
    expect(proofOf(algebra).tradesIn(logs)).toEqual(proofOf(v3).tradesIn(logs));
  });
});
