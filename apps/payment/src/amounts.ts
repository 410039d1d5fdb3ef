import { formatHypeShort, PRICE_SCALE } from '@maker/rules';

const SIGNIFICANT_DIGITS = 5;

/** So that the price of a token worth less than a wei is not shown as nothing. */
const PLACES_BEYOND_WEI = 10;

/**
 * Wei in HYPE for reading: grouped, cut to six decimals or as told. Examples: '1,234.5 HYPE', and for what is too little
 * to show '<0.000001 HYPE', because it is not nothing.
 */
export function hype(wei: bigint | string, decimals = 6): string {
  const amount = BigInt(wei);
  const shown = formatHypeShort(amount, decimals);
  if (shown === '0' && amount > 0n) return `<0.${'1'.padStart(decimals, '0')} HYPE`;
  return `${grouped(shown)} HYPE`;
}

/** Wei that can be below zero, as {@link hype}. Examples: '−0.5 HYPE', and for a little less than nothing '>−0.000001 HYPE'. */
export function signedHype(wei: string): string {
  if (!wei.startsWith('-')) return hype(wei);
  const size = hype(wei.slice(1));
  return size.startsWith('<') ? `>−${size.slice(1)}` : `−${size}`;
}

/**
 * An amount in a token's smallest unit for reading: cut, never rounded up, to five significant digits, but whole units
 * are always complete. Example: '1,234,567', '12.345', '0.00012345'.
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
 * Average price in HYPE for one token, or undefined before anything was bought.
 * @param tradedWei wei spent in pools @param bought token's smallest unit
 */
export function averagePrice(tradedWei: bigint, bought: bigint, decimals: number): string | undefined {
  if (bought === 0n) return undefined;
  const price = (tradedWei * 10n ** BigInt(decimals + PLACES_BEYOND_WEI)) / bought;
  return tokenAmount(price, 18 + PLACES_BEYOND_WEI);
}

/** A price of the API in HYPE for one token. @param priceX96 wei for the smallest unit, times 2^96 */
export function tokenPrice(priceX96: bigint, decimals: number): string {
  const scaled = priceX96 * 10n ** BigInt(decimals + PLACES_BEYOND_WEI);
  // What the price was cut by must not be cut again: 0.00038 is not 0.00037999.
  return tokenAmount((scaled + PRICE_SCALE / 2n) / PRICE_SCALE, 18 + PLACES_BEYOND_WEI);
}

/** Basis points for reading. Examples: '0.12 %', '−3 %', '0 %'. */
export function percent(bps: number): string {
  return `${bps < 0 ? '−' : ''}${grouped(String(Math.abs(bps) / 100))} %`;
}

function grouped(decimal: string): string {
  const [whole = '0', fraction] = decimal.split('.');
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction ? `${text}.${fraction}` : text;
}
