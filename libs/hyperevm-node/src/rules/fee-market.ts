/** Lower limit of the base fee: 0.1 gwei. Source: hyperevm § 1.3. */
export const LOWEST_BASE_FEE_WEI = 100_000_000n;

const ELASTICITY = 2n;
const CHANGE_DENOMINATOR = 8n;

export interface FeeMarketBlock {
  baseFeeWei: bigint;
  gasUsed: bigint;
  gasLimit: bigint;
}

/**
 * Base fee of the next block of the same kind: small and big blocks are two markets, each with its own last block.
 * Moves by up to an eighth, as EIP-1559 specifies, and stops at the lower limit. Source: hyperevm §§ 1, 1.2, 1.3.
 * @returns wei
 */
export function nextBaseFee(last: FeeMarketBlock): bigint {
  const target = last.gasLimit / ELASTICITY;
  const change = (gas: bigint): bigint => (last.baseFeeWei * gas) / target / CHANGE_DENOMINATOR;
  const next =
    last.gasUsed > target
      ? last.baseFeeWei + (change(last.gasUsed - target) || 1n)
      : last.baseFeeWei - change(target - last.gasUsed);
  return next > LOWEST_BASE_FEE_WEI ? next : LOWEST_BASE_FEE_WEI;
}
