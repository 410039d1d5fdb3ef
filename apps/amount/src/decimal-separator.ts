import type { DecimalSeparator } from '@maker/rules';

/** What the visitor's language puts between whole units and decimals. */
export const DECIMAL_SEPARATOR: DecimalSeparator = new Intl.NumberFormat()
  .formatToParts(0.5)
  .some(({ type, value }) => type === 'decimal' && value === ',')
  ? ','
  : '.';
