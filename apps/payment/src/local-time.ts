const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const timeToTheSecond = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const dayAndTime = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
});

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

/** From when until when, such as '1 Jan, 14:05 – 14:20', or 'since 1 Jan, 14:05' of what lasts. @param since, until ISO 8601 */
export function localTimes(since: string, until: string | undefined): string {
  if (until === undefined) return `since ${dayAndTime.format(new Date(since))}`;
  return dayAndTime.formatRange(new Date(since), new Date(until));
}
