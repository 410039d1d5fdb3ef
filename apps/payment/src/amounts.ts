import { formatHypeShort } from '@maker/rules';

const SIGNIFICANT_DIGITS = 5;

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
  // Ten digits beyond wei, so that the price of a token worth less than a wei is not shown as nothing.
  const price = (tradedWei * 10n ** BigInt(decimals + 10)) / bought;
  return tokenAmount(price, 28);
}

function grouped(decimal: string): string {
  const [whole = '0', fraction] = decimal.split('.');
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction ? `${text}.${fraction}` : text;
}
