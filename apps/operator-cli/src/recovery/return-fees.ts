import { exactPrice, FEE_CAP_WEI, larger, raisedFee } from '@maker/rules';

/**
 * Price of a replacement at the same nonce, wei per gas: what the base fee asks for now, and 12.5 % more at the least,
 * which nodes demand.
 * @returns undefined where the cap leaves no room
 */
export function replacementPrice(priceWei: bigint, baseFeeWei: bigint): bigint | undefined {
  const wanted = larger(exactPrice(baseFeeWei), raisedFee(priceWei));
  return wanted <= FEE_CAP_WEI ? wanted : undefined;
}
