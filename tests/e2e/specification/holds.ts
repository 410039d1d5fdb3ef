import type { TestDetails } from '@playwright/test';
import type { SentenceId } from '../../support/specification/sentences.ts';

/** Details of a test that proves these sentences of the specification. */
export function holds(...sentences: readonly SentenceId[]): TestDetails {
  return { annotation: sentences.map((description) => ({ type: 'holds', description })) };
}
