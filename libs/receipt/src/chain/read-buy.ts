import { type Address, decodeFunctionData, type Hex, parseAbi } from 'viem';

const SHAPES = [
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, address referrer, uint256 deadline) payable',
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[] results)',
] as const;
const routerAbi = parseAbi(SHAPES);

const withDeadlineAbi = parseAbi([
  'struct Parameters { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Parameters parameters) payable returns (uint256 amountOut)',
]);
const withoutDeadlineAbi = parseAbi([
  'struct Parameters { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Parameters parameters) payable returns (uint256 amountOut)',
]);

/** What the call of a router asks for. */
export interface Buy {
  /** Wrapped HYPE. */
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly recipient: Address;
  readonly minimumTokens: bigint;
  /** Spent; null where the call does not say and the transaction's value counts. */
  readonly amountInWei: bigint | null;
  /** Seconds since 1970. */
  readonly deadlineSeconds: bigint;
}

/** Reads the call of an order, in any of the shapes that exchanges have. @returns undefined for any other call */
export function readBuy(input: Hex): Buy | undefined {
  return readRouterCall(input) ?? readWithDeadline(input);
}

function readRouterCall(input: Hex): Buy | undefined {
  const call = attempt(() => decodeFunctionData({ abi: routerAbi, data: input }));
  if (!call) return undefined;
  if (call.functionName === 'multicall') {
    const [deadlineSeconds, calls] = call.args;
    const [swap] = calls;
    const inner = calls.length === 1 && swap !== undefined ? readWithoutDeadline(swap) : undefined;
    return inner && { ...inner, deadlineSeconds };
  }
  const [minimumTokens, path, recipient] = call.args;
  const deadlineSeconds = call.args.length === 4 ? call.args[3] : call.args[4];
  const [tokenIn, tokenOut] = path;
  if (path.length !== 2 || !tokenIn || !tokenOut) return undefined;
  return { tokenIn, tokenOut, recipient, minimumTokens, amountInWei: null, deadlineSeconds };
}

function readWithDeadline(input: Hex): Buy | undefined {
  const call = attempt(() => decodeFunctionData({ abi: withDeadlineAbi, data: input }));
  if (!call) return undefined;
  const [parameters] = call.args;
  return { ...buyOf(parameters), deadlineSeconds: parameters.deadline };
}

function readWithoutDeadline(input: Hex): Omit<Buy, 'deadlineSeconds'> | undefined {
  const call = attempt(() => decodeFunctionData({ abi: withoutDeadlineAbi, data: input }));
  return call && buyOf(call.args[0]);
}

function buyOf(parameters: {
  tokenIn: Address;
  tokenOut: Address;
  recipient: Address;
  amountIn: bigint;
  amountOutMinimum: bigint;
}): Omit<Buy, 'deadlineSeconds'> {
  const { tokenIn, tokenOut, recipient, amountIn, amountOutMinimum } = parameters;
  return { tokenIn, tokenOut, recipient, minimumTokens: amountOutMinimum, amountInWei: amountIn };
}

/** The library throws for what is not in the ABI. */
function attempt<Value>(decode: () => Value): Value | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
