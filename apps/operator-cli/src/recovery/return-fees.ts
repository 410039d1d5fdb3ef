import { exactPrice, FEE_CAP_WEI, raisedFee } from '@maker/rules';

/**
 * Price of a replacement at the same nonce, wei per gas: what the base fee asks for now, and 12.5 % more at the least,
 * which nodes demand.
 * @returns undefined where the cap leaves no room
 */
export function replacementPrice(priceWei: bigint, baseFeeWei: bigint): bigint | undefined {
  const raised: bigint = raisedFee(priceWei);
  const fresh: bigint = exactPrice(baseFeeWei);
  const wanted = fresh > raised ? fresh : raised;
  return wanted <= FEE_CAP_WEI ? wanted : undefined;
}
