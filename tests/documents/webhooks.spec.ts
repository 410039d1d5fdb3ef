import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_TYPES } from '@maker/contracts';
import { expect, it } from 'vitest';

/** These events change nothing of a job or its money: apps/webhook-sender does not send them. */
const INTERNAL = ['execution.cancel_commanded', 'payment.deadline_passed'];

it('docs/webhooks.md names every event that endpoints receive', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'webhooks.md'), 'utf8');
  const missing = EVENT_TYPES.filter((type) => !INTERNAL.includes(type) && !page.includes(`\`${type}\``));
  expect(missing).toEqual([]);
});
