import { DAY_AND_TIME } from '@maker/web-kit';

/** Formats a period, such as '1 Jan, 14:05 – 14:20', or 'since 1 Jan, 14:05' without an end. @param since, until ISO 8601 */
export function localTimes(since: string, until: string | undefined): string {
  if (until === undefined) return `since ${DAY_AND_TIME.format(new Date(since))}`;
  return DAY_AND_TIME.formatRange(new Date(since), new Date(until));
}
