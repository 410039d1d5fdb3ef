/** Longest text that is shown. */
const MOST_SHOWN = 120;

/** Controls, separators of lines, and marks that change the direction of what follows them. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}]/gu;

/** Text of an unknown author on one line, cut, and without what a terminal or a browser would obey. */
export function printable(text: string): string {
  const shown = text.replaceAll(UNPRINTABLE, '?');
  return shown.length > MOST_SHOWN ? `${shown.slice(0, MOST_SHOWN)}…` : shown;
}

/** The same in quotation marks, none of which it can close. */
export function quoted(text: string): string {
  return `'${printable(text).replaceAll(/['"‘’“”„]/g, '`')}'`;
}
