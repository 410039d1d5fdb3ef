import type { DecimalSeparator } from '@maker/rules';
import { attempt } from '@maker/web-kit';

/** The decimal separator of the visitor's language. */
export const DECIMAL_SEPARATOR: DecimalSeparator = attempt(() => new Intl.NumberFormat().formatToParts(0.5))?.some(
  ({ type, value }) => type === 'decimal' && value === ',',
)
  ? ','
  : '.';
