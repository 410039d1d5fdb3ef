import { dateFormat } from '@maker/web-kit';

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
