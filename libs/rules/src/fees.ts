import { smaller } from './amounts.ts';
import { GAS_GUARDRAIL_WEI } from './guardrails.ts';

/** What a plain transfer of HYPE to an account without code uses, to the unit. */
export const PLAIN_TRANSFER_GAS = 21_000n;

/** Dearest fee that is ever signed, wei per gas: the guardrail, and room for a replacement above it. Source: design § 5. */
export const FEE_CAP_WEI = 2n * GAS_GUARDRAIL_WEI;

/**
 * Price of a transfer that empties a wallet, wei per gas, with room for the base fee to double. As maximum and tip at
 * once it is what is paid, to the wei, so that nothing is left over.
 */
export function exactPrice(baseFeeWei: bigint): bigint {
  return smaller(2n * baseFeeWei + 1n, FEE_CAP_WEI);
}

/** The least fee that nodes take for a replacement at the same nonce, wei per gas: 12.5 % more. */
export function raisedFee(feeWei: bigint): bigint {
  return (feeWei * 1125n + 999n) / 1000n;
}
