import { encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import { readBuy } from './read-buy.ts';

const IN = getAddress(`0x${'e3'.repeat(20)}`);
const OUT = getAddress(`0x${'dd'.repeat(20)}`);
const WALLET = getAddress(`0x${'a1'.repeat(20)}`);
const OTHER = getAddress(`0x${'0f'.repeat(20)}`);
const abi = parseAbi([
  'struct Parameters { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Parameters parameters) payable returns (uint256 amountOut)',
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[] results)',
]);
const pairAbi = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
]);
const referredAbi = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, address referrer, uint256 deadline) payable',
]);
const functionName = 'swapExactETHForTokensSupportingFeeOnTransferTokens';

const swap = encodeFunctionData({
  abi,
  functionName: 'exactInputSingle',
  args: [
    {
      tokenIn: IN,
      tokenOut: OUT,
      fee: 3000,
      recipient: WALLET,
      amountIn: 9n,
      amountOutMinimum: 7n,
      sqrtPriceLimitX96: 0n,
    },
  ],
});
const calls = (...data: Hex[]) => encodeFunctionData({ abi, functionName: 'multicall', args: [99n, data] });
const bought = { tokenIn: IN, tokenOut: OUT, recipient: WALLET, minimumTokens: 7n, deadlineSeconds: 99n };

describe('the call of an order', () => {
  it('is one swap under the deadline of the call around it, where the exchange has none in the swap', () => {
    expect(readBuy(calls(swap))).toEqual({ ...bought, amountInWei: 9n });
  });

  it('is nothing where something stands beside that swap, or in its place', () => {
    for (const input of [calls(), calls(swap, swap), calls('0x095ea7b3'), swap]) expect(readBuy(input)).toBeUndefined();
  });

  it('is a swap of two tokens, with a deadline behind whoever is named besides', () => {
    const path = [IN, OUT];
    const pair = encodeFunctionData({ abi: pairAbi, functionName, args: [7n, path, WALLET, 99n] });
    const referred = encodeFunctionData({ abi: referredAbi, functionName, args: [7n, path, WALLET, OTHER, 99n] });
    for (const input of [pair, referred]) expect(readBuy(input)).toEqual({ ...bought, amountInWei: null });
  });

  it.each([[[]], [[IN]], [[IN, OTHER, OUT]]])('is nothing by a path of %j', (path) => {
    const input = encodeFunctionData({ abi: pairAbi, functionName, args: [7n, path, WALLET, 99n] });
    expect(readBuy(input)).toBeUndefined();
  });
});
