const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const timeToTheSecond = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** A moment as the visitor writes it: date and time. @param iso ISO 8601 */
export function localDateAndTime(iso: string): string {
  return dateAndTime.format(new Date(iso));
}

/** A moment of today, such as '14:05'. @param iso ISO 8601 */
export function localTime(iso: string): string {
  return time.format(new Date(iso));
}

/** A moment of today to the second. @param iso ISO 8601 */
export function localTimeToTheSecond(iso: string): string {
  return timeToTheSecond.format(new Date(iso));
}
