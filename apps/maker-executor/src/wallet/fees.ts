import { exactPrice, FEE_CAP_WEI, GAS_GUARDRAIL_WEI, larger, raisedFee, smaller } from '@maker/rules';

/** Fees of a type 2 transaction, wei per gas. */
export interface Fees {
  readonly maxFeePerGasWei: bigint;
  readonly maxPriorityFeePerGasWei: bigint;
}

/** What is not used of it costs nothing, so a plain transfer may as well bear a sudden rise. */
const CALM_MAXIMUM_WEI = 1_000_000_000n;

/**
 * Fees of an order: room for the base fee to double, but never above the guardrail, so that no order is paid for at more than
 * 10 gwei whatever the base fee does until it is mined. Source: specification § 9.
 */
export function orderFees(baseFeeWei: bigint, tipWei: bigint): Fees {
  const maxFeePerGasWei = smaller(2n * baseFeeWei + tipWei, GAS_GUARDRAIL_WEI);
  return { maxFeePerGasWei, maxPriorityFeePerGasWei: smaller(tipWei, maxFeePerGasWei) };
}

/**
 * Tip for a transaction that finds no room although it pays the base fee: what is worth offering now, or twice what it
 * offered, and never less than an eighth of the base fee, so that a few steps go from nothing to something that counts.
 */
export function starvedTip(baseFeeWei: bigint, tipWei: bigint, offeredWei: bigint): bigint {
  return larger(larger(tipWei, 2n * offeredWei), baseFeeWei / 8n);
}

/**
 * Dearest fee at which an order that waits in its nonce is signed again: its gas costs no more than its trade, or than it was
 * first signed for. Source: docs/adr/0026. @param tradeWei spent in the pool @param firstWei fee it was first signed for, per gas
 */
export function mostOrderFee(tradeWei: bigint, gasLimit: bigint, firstWei: bigint): bigint {
  return smaller(larger(tradeWei / gasLimit, firstWei), GAS_GUARDRAIL_WEI);
}

/** Fees of the fee's and the delivery's transfer: room for the base fee to double, and the tip that is worth offering. */
export function transferFees(baseFeeWei: bigint, tipWei = 0n): Fees {
  const maxFeePerGasWei = smaller(larger(2n * baseFeeWei + tipWei, CALM_MAXIMUM_WEI), FEE_CAP_WEI);
  return { maxFeePerGasWei, maxPriorityFeePerGasWei: smaller(tipWei, maxFeePerGasWei) };
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
