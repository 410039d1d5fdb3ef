/** Wei in one HYPE; HYPE has 18 decimals on every HyperEVM network. */
export const WEI_PER_HYPE = 10n ** 18n;

const DECIMALS = 18;
const PLAIN_DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/** An amount that is not a plain, non-negative decimal with at most 18 decimals. */
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
  const match = PLAIN_DECIMAL.exec(text.trim());
  const fraction = match?.[2] ?? '';
  if (!match?.[1] || fraction.length > DECIMALS) throw new InvalidAmountError(text);
  return BigInt(match[1]) * WEI_PER_HYPE + BigInt(fraction.padEnd(DECIMALS, '0'));
}

/**
 * Reads the number of an HTTP body (`paymentAmount`, specification § 3) as the decimal that was written in it.
 * @returns wei
 * @throws InvalidAmountError for negative, non-finite or exponent-form numbers
 */
export function hypeNumberToWei(amount: number): bigint {
  return parseHype(String(amount));
}

/** Prints wei as the shortest exact decimal in HYPE, such as '0.5'. */
export function formatHype(wei: bigint): string {
  const sign = wei < 0n ? '-' : '';
  const digits = (wei < 0n ? -wei : wei).toString().padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return `${sign}${digits.slice(0, -DECIMALS)}${fraction ? `.${fraction}` : ''}`;
}

/** Prints wei in HYPE cut (never rounded up) to at most `decimals` decimals, for display. */
export function formatHypeShort(wei: bigint, decimals = 4): string {
  const unit = 10n ** BigInt(DECIMALS - decimals);
  return formatHype((wei / unit) * unit);
}
