import { formatHype, InvalidAmountError, larger, parseHype, smaller, WEI_PER_HYPE } from './amounts.ts';
import { MAXIMUM_PAYMENT_WEI } from './budget.ts';

/** Decimal separator of the visitor's locale. */
export type DecimalSeparator = '.' | ',';

/** Result of reading an amount field's text. */
export type TypedAmount =
  | { readonly kind: 'empty' }
  | { readonly kind: 'amount' /** wei */; readonly wei: bigint }
  /** It contains a separator that may group thousands. */
  | { readonly kind: 'ambiguous' }
  /** Below zero, or less than a wei. */
  | { readonly kind: 'too_small' }
  /** No number, or one with more decimals than HYPE has. */
  | { readonly kind: 'unreadable' };

/** Source: specification § 2 'Amount'. */
const STEP_WEI = WEI_PER_HYPE / 10n;

const PLAIN = /^(?:\d+[.,]?\d*|[.,]\d*)$/;
const NEGATIVE = /^[-−]/;
/** '1,000': one to three digits without a leading zero, a comma, and three digits. */
const GROUPED_BY_COMMA = /^[1-9]\d{0,2},\d{3}$/;
const GROUPED_BY_DOT = /^[1-9]\d{0,2}\.\d{3}$/;
const SEVERAL_SEPARATORS = /^\d*(?:[.,'’ \u00a0\u202f]\d*){2,}$|^\d+['’ \u00a0\u202f]\d+$/;

/**
 * Reads a typed amount in HYPE with a decimal point or a decimal comma. It does not read a text that may mean thousands: a
 * wrong guess would change the amount by a factor of 1000.
 * @param typed text of the field
 * @param separator of the visitor's language: with ',' a dot may also group thousands
 */
export function readTypedAmount(typed: string, separator: DecimalSeparator = '.'): TypedAmount {
  // Full-width digits and separators of East Asian keyboards.
  const text = typed.normalize('NFKC').trim();
  if (text === '') return { kind: 'empty' };
  if (NEGATIVE.test(text)) return { kind: 'too_small' };
  if (SEVERAL_SEPARATORS.test(text) || GROUPED_BY_COMMA.test(text)) return { kind: 'ambiguous' };
  if (separator === ',' && GROUPED_BY_DOT.test(text)) return { kind: 'ambiguous' };
  if (!PLAIN.test(text)) return { kind: 'unreadable' };
  // '.5' and '2,' are amounts for people only.
  const decimal = `0${text.replace(',', '.')}`.replace(/\.$/, '');
  try {
    return { kind: 'amount', wei: parseHype(decimal) };
  } catch (error) {
    if (!(error instanceof InvalidAmountError)) throw error;
    return { kind: Number(decimal) * Number(WEI_PER_HYPE) < 1 ? 'too_small' : 'unreadable' };
  }
}

/**
 * Returns the text after an arrow key: 0.1 HYPE up or down, between the minimum and the maximum payment.
 * Source: specification § 2 'Amount'. @param minimumWei wei
 */
export function stepTypedAmount(
  typed: string,
  direction: 'up' | 'down',
  minimumWei: bigint,
  separator: DecimalSeparator = '.',
): string {
  const read = readTypedAmount(typed, separator);
  if (read.kind === 'ambiguous' || read.kind === 'unreadable') return typed;
  const before = read.kind === 'amount' ? read.wei : 0n;
  const moved = direction === 'up' ? before + STEP_WEI : before - STEP_WEI;
  const decimal = formatHype(larger(minimumWei, smaller(MAXIMUM_PAYMENT_WEI, moved)));
  const text = typed.includes(',') ? decimal.replace('.', ',') : decimal;
  // '1,025' could mean thousands; '1,0250' cannot.
  return readTypedAmount(text, separator).kind === 'ambiguous' ? `${text}0` : text;
}
