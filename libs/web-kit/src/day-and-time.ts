import { dateFormat } from './date-format.ts';

/** Formats a time near now in the visitor's locale, such as '1 Jan, 14:05'. */
export const DAY_AND_TIME = dateFormat({
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
});
