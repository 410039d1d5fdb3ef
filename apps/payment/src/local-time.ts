import { DAY_AND_TIME } from '@maker/web-kit';

const formatted = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(undefined, options);
  return (iso: string): string => format.format(new Date(iso));
};

/** A moment as the visitor writes it: date and time. @param iso ISO 8601 */
export const localDateAndTime = formatted({ dateStyle: 'medium', timeStyle: 'short' });

/** A moment of today, such as '14:05'. @param iso ISO 8601 */
export const localTime = formatted({ timeStyle: 'short' });

/** A moment of today to the second. @param iso ISO 8601 */
export const localTimeToTheSecond = formatted({ timeStyle: 'medium' });

/** From when until when, such as '1 Jan, 14:05 – 14:20', or 'since 1 Jan, 14:05' of what lasts. @param since, until ISO 8601 */
export function localTimes(since: string, until: string | undefined): string {
  if (until === undefined) return `since ${DAY_AND_TIME.format(new Date(since))}`;
  return DAY_AND_TIME.formatRange(new Date(since), new Date(until));
}
