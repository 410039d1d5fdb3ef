import type { Exchange } from '@maker/chain/venues';
import { minimumOut, orderSlippage } from '@maker/rules';
import {
  type Address,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  type Hex,
  parseAbi,
  zeroAddress,
} from 'viem';
import type { LogFact } from './chain/chain-facts.ts';
import { POOL, ROUTER, TOKEN, VENUE, WALLET, WRAPPED } from './parties.fixture.ts';

/** Quote of a standard order, in the token's smallest unit. */
export const QUOTED = 40_000n * 10n ** 18n;
export const FEE_TIER = 3000;

const pairsAbi = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
]);
const camelotAbi = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, address referrer, uint256 deadline) payable',
]);
const v3Abi = parseAbi([
  'struct Parameters { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Parameters parameters) payable returns (uint256 amountOut)',
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[] results)',
]);
const v3WithDeadlineAbi = parseAbi([
  'struct Parameters { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Parameters parameters) payable returns (uint256 amountOut)',
]);
const algebraAbi = parseAbi([
  'struct Parameters { address tokenIn; address tokenOut; address deployer; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 limitSqrtPrice; }',
  'function exactInputSingle(Parameters parameters) payable returns (uint256 amountOut)',
]);
const eventsAbi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
]);
const v3EventsAbi = parseAbi([
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
]);
const tokenAbi = parseAbi(['function transfer(address to, uint256 amount) returns (bool)']);

/** Changes of an honest call. */
export interface CallChange {
  readonly recipient?: Address;
  readonly path?: readonly Address[];
  readonly minimum?: bigint;
  readonly deadline?: bigint;
  readonly amountIn?: bigint;
  readonly referrer?: Address;
  readonly sqrtPriceLimitX96?: bigint;
  readonly feeTier?: number;
  /** Deployer of the pool, if it is not the exchange's own. */
  readonly deployer?: Address;
}

/** All parameters of an order's call. */
export type CallOf = Required<Omit<CallChange, 'sqrtPriceLimitX96' | 'feeTier' | 'referrer' | 'deployer'>> & CallChange;

/** Encodes calls and events of a shape, independently of the code that decodes them. */
export interface PurchaseFormat {
  buyCall(call: CallOf): Hex;
  /** Wrapped HYPE is token0. */
  swapLog(paidWei: bigint, sold: bigint): Pick<LogFact, 'topics' | 'data'>;
}

const pairSwap = (paidWei: bigint, sold: bigint) => ({
  topics: encodeEventTopics({ abi: eventsAbi, eventName: 'Swap', args: { sender: ROUTER, to: WALLET } }) as Hex[],
  data: encodeAbiParameters(
    Array.from({ length: 4 }, () => ({ type: 'uint256' })),
    [paidWei, 0n, 0n, sold],
  ),
});

const concentratedSwap = (paidWei: bigint, sold: bigint) => ({
  topics: encodeEventTopics({ abi: v3EventsAbi, args: { sender: ROUTER, recipient: WALLET } }) as Hex[],
  data: encodeAbiParameters(
    ['int256', 'int256', 'uint160', 'uint128', 'int24'].map((type) => ({ type })),
    [paidWei, -sold, 1n, 1n, 0],
  ),
});

/** Uniswap V3 has two routers with different calls. */
const WITH_DEADLINE = ', SwapRouter';

/** Formats by the name from {@link formatNameOf}. */
export const PURCHASE_FORMATS: Record<string, PurchaseFormat> = {
  'uniswap-v2': {
    buyCall: ({ minimum, path, recipient, deadline }) =>
      encodeFunctionData({ abi: pairsAbi, args: [minimum, path, recipient, deadline] }),
    swapLog: pairSwap,
  },
  'camelot-v2': {
    buyCall: ({ minimum, path, recipient, deadline, referrer = zeroAddress }) =>
      encodeFunctionData({ abi: camelotAbi, args: [minimum, path, recipient, referrer, deadline] }),
    swapLog: pairSwap,
  },
  'uniswap-v3': {
    buyCall({ minimum, path, recipient, deadline, amountIn, sqrtPriceLimitX96 = 0n, feeTier: fee = FEE_TIER }) {
      const [tokenIn = WRAPPED, tokenOut = TOKEN] = path;
      const swap = { tokenIn, tokenOut, fee, recipient, amountIn, amountOutMinimum: minimum, sqrtPriceLimitX96 };
      const data = encodeFunctionData({ abi: v3Abi, functionName: 'exactInputSingle', args: [swap] });
      return encodeFunctionData({ abi: v3Abi, functionName: 'multicall', args: [deadline, [data]] });
    },
    swapLog: concentratedSwap,
  },
  [`uniswap-v3${WITH_DEADLINE}`]: {
    buyCall({ minimum, path, sqrtPriceLimitX96 = 0n, feeTier: fee = FEE_TIER, recipient, deadline, amountIn }) {
      const [tokenIn = WRAPPED, tokenOut = TOKEN] = path;
      const terms = { recipient, deadline, amountIn, amountOutMinimum: minimum, sqrtPriceLimitX96 };
      return encodeFunctionData({ abi: v3WithDeadlineAbi, args: [{ tokenIn, tokenOut, fee, ...terms }] });
    },
    swapLog: concentratedSwap,
  },
  'algebra-integral': {
    buyCall(call) {
      const { minimum, path, recipient, deadline, amountIn, sqrtPriceLimitX96: limitSqrtPrice = 0n } = call;
      const [tokenIn = WRAPPED, tokenOut = TOKEN] = path;
      const terms = { recipient, deadline, amountIn, amountOutMinimum: minimum, limitSqrtPrice };
      const swap = { tokenIn, tokenOut, deployer: call.deployer ?? zeroAddress, ...terms };
      return encodeFunctionData({ abi: algebraAbi, args: [swap] });
    },
    swapLog: concentratedSwap,
  },
};

/** Name of an exchange's call format: its shape and, for Uniswap V3, its router. */
export function formatNameOf(venue: Exchange): string {
  const hasDeadline = venue.kind === 'uniswap-v3' && venue.routerHasDeadline !== false;
  return `${venue.kind}${hasDeadline ? WITH_DEADLINE : ''}`;
}

function formatOf(venue: Exchange): PurchaseFormat {
  const format = PURCHASE_FORMATS[formatNameOf(venue)];
  if (!format) throw new Error(`no format for the shape ${formatNameOf(venue)}`);
  return format;
}

/** The call of an order. */
export function buyCall(change: CallChange, venue: Exchange = VENUE): Hex {
  const usual = { recipient: WALLET, path: [WRAPPED, TOKEN], deadline: 0n, amountIn: 0n };
  const minimum = minimumOut(QUOTED, orderSlippage(100n, false));
  return formatOf(venue).buyCall({ ...usual, minimum, ...change });
}

/** The call that sends tokens. */
export function transferCall(to: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: tokenAbi, args: [to, amount] });
}

export function transferLog(from: Address, to: Address, amount: bigint): LogFact {
  return {
    address: TOKEN,
    topics: encodeEventTopics({ abi: eventsAbi, eventName: 'Transfer', args: { from, to } }) as Hex[],
    data: encodeAbiParameters([{ type: 'uint256' }], [amount]),
  };
}

/** A pool's event of a trade; wrapped HYPE is token0. */
export function swapLog(paidWei: bigint, sold: bigint, pool: Address = POOL, venue: Exchange = VENUE): LogFact {
  return { address: pool, ...formatOf(venue).swapLog(paidWei, sold) };
}
