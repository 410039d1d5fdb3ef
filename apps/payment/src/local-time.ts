import { DAY_AND_TIME, dateFormat } from '@maker/web-kit';

const formatted = (options: Intl.DateTimeFormatOptions) => {
  const format = dateFormat(options);
  return (iso: string): string => format.format(new Date(iso));
};

/** Formats date and time in the visitor's locale. @param iso ISO 8601 */
export const localDateAndTime = formatted({ dateStyle: 'medium', timeStyle: 'short' });

/** Formats a time of today, such as '14:05'. @param iso ISO 8601 */
export const localTime = formatted({ timeStyle: 'short' });

/** Formats a time of today with seconds. @param iso ISO 8601 */
export const localTimeToTheSecond = formatted({ timeStyle: 'medium' });

/** Formats a period, such as '1 Jan, 14:05 – 14:20', or 'since 1 Jan, 14:05' without an end. @param since, until ISO 8601 */
export function localTimes(since: string, until: string | undefined): string {
  if (until === undefined) return `since ${DAY_AND_TIME.format(new Date(since))}`;
  return DAY_AND_TIME.formatRange(new Date(since), new Date(until));
}
