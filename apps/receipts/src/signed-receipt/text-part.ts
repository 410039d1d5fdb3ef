import { MOST_RECEIPT_TEXT_SENT } from '@maker/contracts';

/** The part of a receipt's text for one message. It never splits a surrogate pair. @param from index of its first code unit */
export function textPart(text: string, from: number): string {
  const part = text.slice(from, from + MOST_RECEIPT_TEXT_SENT);
  return part.isWellFormed() ? part : part.slice(0, -1);
}
