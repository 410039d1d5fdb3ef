import { exactPrice, FEE_CAP_WEI, GAS_GUARDRAIL_WEI, larger, raisedFee, smaller } from '@maker/rules';

/** Fees of a type 2 transaction, wei per gas. */
export interface Fees {
  readonly maxFeePerGasWei: bigint;
  readonly maxPriorityFeePerGasWei: bigint;
}

/** Least fee limit of a plain transfer, wei per gas. Its unused part costs nothing, and it survives a sudden rise. */
const CALM_MAXIMUM_WEI = 1_000_000_000n;

/**
 * Fees of an order. The base fee may double, but the limit is never above the guardrail, so that no order pays more than 10 gwei
 * even if the base fee rises before it is mined. Source: specification § 9.
 */
export function orderFees(baseFeeWei: bigint, tipWei: bigint): Fees {
  const maxFeePerGasWei = smaller(2n * baseFeeWei + tipWei, GAS_GUARDRAIL_WEI);
  return { maxFeePerGasWei, maxPriorityFeePerGasWei: smaller(tipWei, maxFeePerGasWei) };
}

/**
 * Tip for a transaction that is in no block although it pays the base fee: the present tip or twice its own, and at least an
 * eighth of the base fee, so that a few steps lead from no tip to an effective one.
 */
export function starvedTip(baseFeeWei: bigint, tipWei: bigint, offeredWei: bigint): bigint {
  return larger(larger(tipWei, 2n * offeredWei), baseFeeWei / 8n);
}

/**
 * Highest fee for a replacement of a stuck order, per gas: its gas costs no more than its trade, or than its first signature
 * allowed. Source: docs/adr/0026. @param tradeWei spent in the pool @param firstWei fee of the first signature, per gas
 */
export function mostOrderFee(tradeWei: bigint, gasLimit: bigint, firstWei: bigint): bigint {
  return smaller(larger(tradeWei / gasLimit, firstWei), GAS_GUARDRAIL_WEI);
}

/** Fees of the transfers of the fee and of the delivery: the base fee may double, plus the present tip. */
export function transferFees(baseFeeWei: bigint, tipWei = 0n): Fees {
  const maxFeePerGasWei = smaller(larger(2n * baseFeeWei + tipWei, CALM_MAXIMUM_WEI), FEE_CAP_WEI);
  return { maxFeePerGasWei, maxPriorityFeePerGasWei: smaller(tipWei, maxFeePerGasWei) };
}

/**
 * The same within a limit of money: with less room for a rise, but enough for the next blocks.
 * @param gasLimit most gas that the transfer can use @param mostWei most money for gas, wei
 * @returns undefined if the money does not pay for it now
 */
export function affordableFees(baseFeeWei: bigint, gasLimit: bigint, mostWei: bigint): Fees | undefined {
  const fees = transferFees(baseFeeWei);
  const maxFeePerGasWei = smaller(fees.maxFeePerGasWei, mostWei / gasLimit);
  return maxFeePerGasWei < raisedFee(baseFeeWei) ? undefined : { ...fees, maxFeePerGasWei };
}

/**
 * Fees of a transfer that empties the wallet. The tip equals the maximum, so that the price is known to the wei before the
 * transfer is mined, and nothing remains.
 */
export function exactFees(baseFeeWei: bigint): Fees {
  const price = exactPrice(baseFeeWei);
  return { maxFeePerGasWei: price, maxPriorityFeePerGasWei: price };
}

/** Lowest fees that nodes accept for a replacement at the same nonce: 12.5 % more. */
export function raisedFees(fees: Fees): Fees {
  return {
    maxFeePerGasWei: raisedFee(fees.maxFeePerGasWei),
    maxPriorityFeePerGasWei: raisedFee(fees.maxPriorityFeePerGasWei),
  };
}
