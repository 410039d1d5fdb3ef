import { MOST_RECEIPT_TEXT_SENT } from '@maker/contracts';
import { expect, it } from 'vitest';
import { textPart } from './text-part.ts';

/** Requests the parts as the gateway does. */
function inParts(text: string): string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length; from += parts.at(-1)?.length ?? 0) parts.push(textPart(text, from));
  return parts;
}

it('splits a receipt of any length into equal text', () => {
  const text = `${'x'.repeat(MOST_RECEIPT_TEXT_SENT - 1)}${'🐈'.repeat(MOST_RECEIPT_TEXT_SENT)}`;
  const parts = inParts(text);
  expect(parts.join('')).toBe(text);
  expect(parts[0]).toHaveLength(MOST_RECEIPT_TEXT_SENT - 1);
  for (const part of parts) {
    expect(part.length).toBeLessThanOrEqual(MOST_RECEIPT_TEXT_SENT);
    expect(part.isWellFormed()).toBe(true);
  }
  expect(inParts('{}')).toEqual(['{}']);
});
