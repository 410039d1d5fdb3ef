import { attempt } from './attempt.ts';

/** A format of dates in the visitor's locale; in English for a locale that the browser itself cannot use, such as 'en-US@posix'. */
export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return attempt(() => new Intl.DateTimeFormat(undefined, options)) ?? new Intl.DateTimeFormat('en', options);
}
