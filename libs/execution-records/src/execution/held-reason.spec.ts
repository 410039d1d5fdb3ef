import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_RECIPIENT, NOT_AGREED } from '@maker/signing/agreement';
import { expect, it } from 'vitest';
import * as heldReasons from './held-reason.ts';

const RUNBOOK = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'runbooks', 'money-held.md');

it('names each reason for held money once', () => {
  const { addReason } = heldReasons;
  expect(addReason(null, 'a')).toBe('a');
  expect(addReason(addReason('a', 'b'), 'a')).toBe('a; b');
});

it('uses the runbook’s words for a held reason', () => {
  const listed = readFileSync(RUNBOOK, 'utf8')
    .split('\n')
    .flatMap((line) => line.split('|')[1]?.split(';') ?? [])
    .map((reason) => reason.trim());
  const { addReason, ABSENT, ...reasons } = heldReasons;
  expect(listed).toEqual(expect.arrayContaining([...Object.values(reasons), NO_RECIPIENT, NOT_AGREED]));
  // The runbook lists this case as a difference between chain and ledger.
  expect(ABSENT).toBe('this money is no longer on the chain');
});
