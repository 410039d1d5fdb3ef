import { smaller } from './amounts.ts';
import { GAS_GUARDRAIL_WEI } from './guardrails.ts';

/** Exact gas of a plain transfer of HYPE to an account without code. */
export const PLAIN_TRANSFER_GAS = 21_000n;

/** Highest fee that the service ever signs, wei per gas: the guardrail, and room for a replacement above it. Source: design § 5. */
export const FEE_CAP_WEI = 2n * GAS_GUARDRAIL_WEI;

/**
 * Gas price of a transfer that empties a wallet, wei per gas, with room for the base fee to double. Use it as both maximum fee
 * and tip: the transfer then pays exactly this price, and leaves no rest.
 */
export function exactPrice(baseFeeWei: bigint): bigint {
  return smaller(2n * baseFeeWei + 1n, FEE_CAP_WEI);
}

/** Lowest fee that nodes accept for a replacement at the same nonce, wei per gas: 12.5 % more. */
export function raisedFee(feeWei: bigint): bigint {
  return (feeWei * 1125n + 999n) / 1000n;
}
