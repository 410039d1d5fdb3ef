import { formatHype, hypeNumberToWei, InvalidAmountError, larger, smaller, WEI_PER_HYPE } from './amounts.ts';
import { MAXIMUM_PAYMENT_WEI } from './budget.ts';

/** What stands between whole units and decimals where the visitor lives. */
export type DecimalSeparator = '.' | ',';

/** An amount field's text, read. */
export type TypedAmount =
  | { readonly kind: 'empty' }
  | { readonly kind: 'amount' /** wei */; readonly wei: bigint }
  /** A separator in it can stand for thousands. */
  | { readonly kind: 'ambiguous' }
  /** Below zero, or with more digits than an amount has. */
  | { readonly kind: 'too_small' }
  | { readonly kind: 'unreadable' };

/** Source: specification § 2 'Amount'. */
const STEP_WEI = WEI_PER_HYPE / 10n;

const PLAIN = /^(?:\d+[.,]?\d*|[.,]\d*)$/;
const NEGATIVE = /^[-−]/;
/** '1,000': one to three digits without a leading zero, and then three. */
const GROUPED_BY_COMMA = /^[1-9]\d{0,2},\d{3}$/;
const GROUPED_BY_DOT = /^[1-9]\d{0,2}\.\d{3}$/;
const SEVERAL_SEPARATORS = /^\d*(?:[.,'’ \u00a0\u202f]\d*){2,}$|^\d+['’ \u00a0\u202f]\d+$/;

/**
 * Reads a typed amount in HYPE with a decimal point or a decimal comma. A text that can also mean thousands is not read: a
 * wrong guess would change the amount a thousandfold.
 * @param typed as it stands in the field
 * @param separator of the visitor's language: with ',' a dot can also stand for thousands
 */
export function readTypedAmount(typed: string, separator: DecimalSeparator = '.'): TypedAmount {
  // Full-width digits and separators of East Asian keyboards.
  const text = typed.normalize('NFKC').trim();
  if (text === '') return { kind: 'empty' };
  if (NEGATIVE.test(text)) return { kind: 'too_small' };
  if (SEVERAL_SEPARATORS.test(text) || GROUPED_BY_COMMA.test(text)) return { kind: 'ambiguous' };
  if (separator === ',' && GROUPED_BY_DOT.test(text)) return { kind: 'ambiguous' };
  if (!PLAIN.test(text)) return { kind: 'unreadable' };
  try {
    // As the API reads it from the number of the request body, so that the amount shown is the amount asked for.
    return { kind: 'amount', wei: hypeNumberToWei(Number(`0${text.replace(',', '.')}`)) };
  } catch (error) {
    if (error instanceof InvalidAmountError) return { kind: 'too_small' };
    throw error;
  }
}

/**
 * The text after an arrow key: 0.1 HYPE up or down, within what may be paid.
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
