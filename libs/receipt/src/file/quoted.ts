/** Longest text shown, in UTF-16 code units. */
const MOST_SHOWN = 120;

/** Control characters, line separators, marks of text direction, and unassigned characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}]/gu;

/** Untrusted text on one line, cut, without characters that control a terminal or a browser. */
export function printable(text: string): string {
  const shown = text.replaceAll(UNPRINTABLE, '?');
  return shown.length > MOST_SHOWN ? `${shown.slice(0, MOST_SHOWN)}…` : shown;
}

/** {@link printable} text in quotation marks that it cannot close. */
export function quoted(text: string): string {
  return `'${printable(text).replaceAll(/['"‘’“”„]/g, '`')}'`;
}
