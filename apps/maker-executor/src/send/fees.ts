import { exactPrice, FEE_CAP_WEI, ORDER_COST_MAXIMUM_WEI, ORDER_COST_MINIMUM_WEI, raisedFee } from '@maker/rules';

/** Fees of a type 2 transaction, wei per gas. */
export interface Fees {
  readonly maxFeePerGasWei: bigint;
  readonly maxPriorityFeePerGasWei: bigint;
}

/** What is not used of it costs nothing, so a plain transfer may as well bear a sudden rise. */
const CALM_MAXIMUM_WEI = 1_000_000_000n;

/**
 * Fees under which an order's cost all in stays within its published range whatever the base fee does until it is
 * mined: the maximum fee keeps trade plus gas at or below 0.0005 HYPE, and a tip is added only where without it a fall
 * of the base fee could bring them below 0.0003. (On HyperEVM a tip changes no order of inclusion; it is burned.)
 * Source: docs/adr/0003.
 * @param tradeWei spent in the pool, wei @param gasLimit most gas it can use @param gasExpected gas it should use
 */
export function orderFees(tradeWei: bigint, gasLimit: bigint, gasExpected: bigint): Fees {
  const most = (ORDER_COST_MAXIMUM_WEI - tradeWei) / gasLimit;
  const missing = ORDER_COST_MINIMUM_WEI - tradeWei;
  const tip = missing > 0n ? divideUp(missing, gasExpected) : 0n;
  const maxFeePerGasWei = smaller(most, FEE_CAP_WEI);
  return { maxFeePerGasWei, maxPriorityFeePerGasWei: smaller(tip, maxFeePerGasWei) };
}

/** Fees of the fee's and the delivery's transfer: no tip, and room for the base fee to double. */
export function transferFees(baseFeeWei: bigint): Fees {
  const doubled = 2n * baseFeeWei;
  const wanted = doubled > CALM_MAXIMUM_WEI ? doubled : CALM_MAXIMUM_WEI;
  return { maxFeePerGasWei: smaller(wanted, FEE_CAP_WEI), maxPriorityFeePerGasWei: 0n };
}

/**
 * The same within what may be spent on it: with less room for a rise, but enough for the next blocks.
 * @param gasLimit most gas it can use @param mostWei what may be spent on gas, wei
 * @returns undefined where that does not pay for it now
 */
export function affordableFees(baseFeeWei: bigint, gasLimit: bigint, mostWei: bigint): Fees | undefined {
  const fees = transferFees(baseFeeWei);
  const maxFeePerGasWei = smaller(fees.maxFeePerGasWei, mostWei / gasLimit);
  return maxFeePerGasWei < raisedFee(baseFeeWei) ? undefined : { ...fees, maxFeePerGasWei };
}

/**
 * Fees of a transfer that empties the wallet: the tip equals the maximum, so that the price paid is known to the wei
 * before it is mined and nothing is left over.
 */
export function exactFees(baseFeeWei: bigint): Fees {
  const price = exactPrice(baseFeeWei);
  return { maxFeePerGasWei: price, maxPriorityFeePerGasWei: price };
}

/** The least fees that nodes take for a replacement at the same nonce: 12.5 % more. */
export function raisedFees(fees: Fees): Fees {
  return {
    maxFeePerGasWei: raisedFee(fees.maxFeePerGasWei),
    maxPriorityFeePerGasWei: raisedFee(fees.maxPriorityFeePerGasWei),
  };
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
