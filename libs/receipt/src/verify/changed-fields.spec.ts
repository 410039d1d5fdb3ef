import fc from 'fast-check';
import { expect, it } from 'vitest';
import { receiptFileSchema } from '../file/receipt-file.ts';
import { forgeriesOf, placesOf } from '../forgeries.fixture.ts';
import { honestReceipt } from '../honest-receipt.fixture.ts';
import { unreadable, type Verdict, verifyReceipt } from './verify-receipt.ts';

// forgeries.long.integration.spec.ts repeats this with 1,000 signed files.

const { receipt, facts } = honestReceipt(6);
const signature = `0x${'1'.repeat(128)}1b` as const;
const unproven = ({ cautions, service, asserted, unknown }: Verdict) =>
  [...cautions, service, ...asserted, ...unknown].join('\n');
/** A price is shown in whole wei for a token; an order that was given up went to no exchange. */
const TOO_SMALL = /^receipt\.(rules\.seenPriceX96|orders\.4\.venue)$/;

function judged(content: unknown): Verdict {
  const parsed = receiptFileSchema.safeParse(content);
  return parsed.success ? verifyReceipt(parsed.data, facts) : unreadable({ rule: 'format', problem: '' });
}

it.each([
  ['without an agreement', 4, null],
  ['with an agreement', 1, receipt.agreement],
])('rejects or lists each re-signed change %s', (_, numRuns, agreement) => {
  const file = { receipt: { ...receipt, agreement }, signature };
  const usual = judged(file);
  expect(usual.broken).toBeUndefined();
  const places = placesOf(file).filter(([top]) => top === 'receipt').length;
  const property = fc.property(fc.integer({ min: 1, max: 1000 }), (seed) => {
    for (const { place, file: changed } of forgeriesOf(file, places, seed)) {
      if (place[0] !== 'receipt' || TOO_SMALL.test(place.join('.'))) continue;
      const verdict = judged(changed);
      if (!verdict.broken) expect(unproven(verdict), place.join('.')).not.toBe(unproven(usual));
    }
  });
  fc.assert(property, { numRuns, seed: 1 });
});
