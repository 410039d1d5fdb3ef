/** Dearest price that is ever signed, wei per gas: twice the guardrail, as in the product itself. */
const PRICE_CAP_WEI = 20_000_000_000n;

/**
 * Price of a transfer, wei per gas. The tip equals the maximum, so that what is paid is known before it is mined and a
 * wallet can be emptied to the wei.
 */
export function returnPrice(baseFeeWei: bigint): bigint {
  return smaller(2n * baseFeeWei + 1n, PRICE_CAP_WEI);
}

/**
 * Price of a replacement at the same nonce: what the base fee asks for now, and 12.5 % more at the least, which nodes
 * demand.
 * @returns undefined where the cap leaves no room
 */
export function replacementPrice(priceWei: bigint, baseFeeWei: bigint): bigint | undefined {
  const raised = (priceWei * 1125n + 999n) / 1000n;
  const wanted = returnPrice(baseFeeWei) > raised ? returnPrice(baseFeeWei) : raised;
  return wanted <= PRICE_CAP_WEI ? wanted : undefined;
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
