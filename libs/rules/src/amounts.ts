/** Wei in one HYPE; HYPE has 18 decimals on every HyperEVM network. */
export const WEI_PER_HYPE = 10n ** 18n;

const DECIMALS = 18;
const PLAIN_DECIMAL = /^(\d+)(?:\.(\d+))?$/;
/** The form of numbers from 1e21, with all digits before the point, and below 1e-6. */
const EXPONENT_FORM = /^(\d)(?:\.(\d+))?e([+-]\d+)$/;

/** The text is not a plain, non-negative decimal with at most 18 decimals. */
export class InvalidAmountError extends Error {
  readonly code = 'INVALID_AMOUNT';

  constructor(text: string) {
    super(`'${text}' is not an amount in HYPE: expected a decimal number with at most 18 decimals`);
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
  return decimalToWei(text.trim(), text);
}

/**
 * Reads the number of an HTTP body (`paymentAmount`, specification § 3) as the decimal that the body contains.
 * @returns wei
 * @throws InvalidAmountError for negative and non-finite numbers, and those with more than 18 decimals
 */
export function hypeNumberToWei(amount: number): bigint {
  return decimalToWei(withoutExponent(String(amount)), String(amount));
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

/** @param shown the amount's text for the error */
function decimalToWei(decimal: string, shown: string): bigint {
  const match = PLAIN_DECIMAL.exec(decimal);
  const fraction = match?.[2] ?? '';
  if (!match?.[1] || fraction.length > DECIMALS) throw new InvalidAmountError(shown);
  return BigInt(match[1]) * WEI_PER_HYPE + BigInt(fraction.padEnd(DECIMALS, '0'));
}

/** Converts the exponent form that JavaScript prints, such as '1.5e-7', to '0.00000015'; returns other text unchanged. */
function withoutExponent(printed: string): string {
  const match = EXPONENT_FORM.exec(printed);
  if (!match) return printed;
  const [, whole = '', fraction = '', exponent] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  return point > 0 ? digits.padEnd(point, '0') : `0.${'0'.repeat(-point)}${digits}`;
}
