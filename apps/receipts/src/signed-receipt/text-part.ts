import { MOST_RECEIPT_TEXT_TOLD } from '@maker/contracts';

/** What one message carries of a receipt's text, from a character on: never half of a character of two code units. */
export function textPart(text: string, from: number): string {
  const part = text.slice(from, from + MOST_RECEIPT_TEXT_TOLD);
  return part.isWellFormed() ? part : part.slice(0, -1);
}
