import { formatHypeShort, PRICE_SCALE } from '@maker/rules';

const SIGNIFICANT_DIGITS = 5;

/** So that a token's price below one wei is not shown as 0. */
const PLACES_BEYOND_WEI = 10;

/**
 * Formats wei in HYPE: grouped, cut to six decimals by default. Examples: '1,234.5 HYPE', and '<0.000001 HYPE' for an amount
 * too small to show, because it is not 0.
 */
export function hype(wei: bigint | string, decimals = 6): string {
  const amount = BigInt(wei);
  const shown = formatHypeShort(amount, decimals);
  if (shown === '0' && amount > 0n) return `<0.${'1'.padStart(decimals, '0')} HYPE`;
  return `${grouped(shown)} HYPE`;
}

/**
 * Formats an amount in a token's smallest unit: cut, never rounded up, to five significant digits, but with all digits of
 * whole units. Example: '1,234,567', '12.345', '0.00012345'.
 */
export function tokenAmount(units: bigint | string, decimals: number): string {
  const digits = BigInt(units)
    .toString()
    .padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals);
  const wholeDigits = whole === '0' ? 0 : whole.length;
  const leadingZeros = wholeDigits === 0 ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0;
  const kept = fraction.slice(0, leadingZeros + Math.max(0, SIGNIFICANT_DIGITS - wholeDigits)).replace(/0+$/, '');
  return grouped(kept ? `${whole}.${kept}` : whole);
}

/**
 * Average price in HYPE for one token; undefined before the first purchase.
 * @param tradedWei wei spent in pools @param bought token's smallest unit
 */
export function averagePrice(tradedWei: bigint, bought: bigint, decimals: number): string | undefined {
  if (bought === 0n) return undefined;
  const price = (tradedWei * 10n ** BigInt(decimals + PLACES_BEYOND_WEI)) / bought;
  return tokenAmount(price, 18 + PLACES_BEYOND_WEI);
}

/** Formats a price of the API in HYPE for one token. @param priceX96 wei for the smallest unit, times 2^96 */
export function tokenPrice(priceX96: bigint, decimals: number): string {
  const scaled = priceX96 * 10n ** BigInt(decimals + PLACES_BEYOND_WEI);
  // Rounded, because priceX96 was cut already: cutting it again would show 0.00037999 for 0.00038.
  return tokenAmount((scaled + PRICE_SCALE / 2n) / PRICE_SCALE, 18 + PLACES_BEYOND_WEI);
}

function grouped(decimal: string): string {
  const [whole = '0', fraction] = decimal.split('.');
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction ? `${text}.${fraction}` : text;
}
