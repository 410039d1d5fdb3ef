/** Wei in one HYPE; HYPE has 18 decimals on every HyperEVM network. */
export const WEI_PER_HYPE = 10n ** 18n;

const DECIMALS = 18;
const PLAIN_DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/** Significant digits that every decimal keeps as a JavaScript number; further digits of a number are binary noise. */
const EXACT_DIGITS = 15;

/** Most decimals of an amount in a number. */
const NUMBER_DECIMALS = 9;

/** Below it, in HYPE, {@link EXACT_DIGITS} digits are enough for {@link NUMBER_DECIMALS} decimals. */
const NUMBER_LIMIT = 10 ** (EXACT_DIGITS - NUMBER_DECIMALS);

/** The text or number is no exact amount in HYPE. */
export class InvalidAmountError extends Error {
  readonly code = 'INVALID_AMOUNT';

  constructor(text: string, expected = 'a decimal number with at most 18 decimals') {
    super(`'${text}' is not an amount in HYPE: expected ${expected}`);
    this.name = 'InvalidAmountError';
  }
}

/**
 * Parses a decimal amount in HYPE without loss.
 * @param text such as '0.5'; no sign, exponent or thousands separator
 * @returns wei
 * @throws InvalidAmountError
 */
export function parseHype(text: string): bigint {
  const match = PLAIN_DECIMAL.exec(text.trim());
  const fraction = match?.[2] ?? '';
  if (!match?.[1] || fraction.length > DECIMALS) throw new InvalidAmountError(text);
  return BigInt(match[1]) * WEI_PER_HYPE + BigInt(fraction.padEnd(DECIMALS, '0'));
}

/**
 * Reads a JavaScript number in HYPE. It drops binary noise: 0.1 + 0.2 is 0.3 HYPE. A number that may mean another decimal is refused.
 * @returns wei
 * @throws InvalidAmountError for a negative number, more than 9 decimals, and 1,000,000 or more
 */
export function hypeNumberToWei(amount: number): bigint {
  if (!(amount >= 0 && amount < NUMBER_LIMIT)) {
    throw new InvalidAmountError(String(amount), `a number from 0 to ${NUMBER_LIMIT - 1}`);
  }
  const meant = Number(amount.toPrecision(EXACT_DIGITS));
  const decimal = meant.toFixed(NUMBER_DECIMALS);
  if (Number(decimal) !== meant) {
    const expected = `a number with at most ${NUMBER_DECIMALS} decimals; send more decimals as a string, such as "0.250000000000000001"`;
    throw new InvalidAmountError(String(amount), expected);
  }
  return parseHype(decimal);
}

/** The amount for a request body: a number if it is exact, otherwise a decimal string. */
export function hypeForBody(wei: bigint): number | string {
  const decimal = formatHype(wei);
  const isExact = wei % 10n ** BigInt(DECIMALS - NUMBER_DECIMALS) === 0n && Number(decimal) < NUMBER_LIMIT;
  return isExact ? Number(decimal) : decimal;
}

/** Prints wei as the shortest exact decimal in HYPE, such as '0.5'. */
export function formatHype(wei: bigint): string {
  return formatUnits(wei, DECIMALS);
}

/** Prints an amount in a token's smallest unit as the shortest exact decimal of the token. @param decimals of the token */
export function formatUnits(units: bigint, decimals: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${sign}${whole}${fraction ? `.${fraction}` : ''}`;
}

/** Prints wei in HYPE cut (never rounded up) to at most `decimals` decimals, for display. */
export function formatHypeShort(wei: bigint, decimals = 4): string {
  const unit = 10n ** BigInt(DECIMALS - decimals);
  return formatHype((wei / unit) * unit);
}

/** The smaller of two amounts. */
export function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/** The larger of two amounts. */
export function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

/** Sorts amounts, the smallest first. */
export function ascending(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
