import type { DecimalSeparator } from '@maker/rules';

/** The decimal separator of the visitor's language. */
export const DECIMAL_SEPARATOR: DecimalSeparator = new Intl.NumberFormat()
  .formatToParts(0.5)
  .some(({ type, value }) => type === 'decimal' && value === ',')
  ? ','
  : '.';
