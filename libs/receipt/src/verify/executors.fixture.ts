import { parseHype, slotsIn, splitDeposit } from '@maker/rules';
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Deviation, withReceipt } from '../deviation.fixture.ts';
import { signedReceiptSchema } from '../file/receipt-file.ts';
import { VENUE, VENUES } from '../parties.fixture.ts';
import { type JobReport, SimulatedExecutor, type SimulatedJob } from '../simulated-executor.fixture.ts';
import { unreadable, type Verdict, verifyReceipt } from './verify-receipt.ts';

const SEED = 20_261_125;
const DAY_MS = 86_400_000;

const outcomes = fc.array(fc.constantFrom('filled', 'filled', 'filled', 'reverted', 'voided'), {
  minLength: 12,
  maxLength: 12,
});

/** Random jobs of any size, on any exchange, at the published pace or slower. */
function jobs(on: Deviation['on'] = () => true): fc.Arbitrary<Partial<SimulatedJob>> {
  return fc
    .record({
      orderCount: fc.integer({ min: 2, max: 11 }),
      paidWei: fc.bigInt({ min: parseHype('0.2'), max: parseHype('900') }),
      slower: fc.integer({ min: 0, max: 100_000 }),
      venue: fc.constantFrom(...VENUES.filter(on)),
      lateWei: fc.oneof(fc.constant(0n), fc.bigInt({ min: parseHype('0.001'), max: parseHype('50') })),
      quoted: fc.bigInt({ min: 10n ** 6n, max: 10n ** 26n }),
      delaySeconds: fc.integer({ min: 1, max: 100 }),
      outcomes,
    })
    .map(({ slower, outcomes: [first, ...more], ...job }) => ({
      ...job,
      slotMs: Math.ceil(DAY_MS / slotsIn(splitDeposit(job.paidWei).orderBudgetWei)) + slower,
      // The first order always buys.
      outcome: (number: number) => (number === 1 ? 'filled' : ((more[number] ?? first) as 'filled')),
    }));
}

const sizes = fc.integer({ min: 1, max: 999 }).map((size) => size / 1000);

/** The verdict about an executor's report. */
function found({ receipt, facts }: JobReport): Verdict {
  const parsed = signedReceiptSchema.safeParse(receipt);
  if (!parsed.success) return unreadable({ rule: 'format', problem: parsed.error.message });
  return verifyReceipt({ receipt: parsed.data, signature: '0x' }, facts);
}

/** Id of the rule that rejects a deviating executor. */
export function caught({ run, on = () => false }: Deviation): string | undefined {
  const venue = VENUES.find(on) ?? VENUE;
  return found(run({ orderCount: 6, venue }, 0.5)).broken?.rule;
}

/** Expects that random executors with one deviation each are rejected, or listed among the unknown points. */
export function expectCaught(deviations: readonly Deviation[], numRuns: number): void {
  const runs = fc
    .constantFrom(...deviations)
    .chain((deviation) => fc.tuple(fc.constant(deviation), jobs(deviation.on), sizes));
  const property = fc.property(runs, ([{ name, run, listedAs, unlessAgreed }, job, size]) => {
    const report = run(job, size);
    const { broken, unknown } = found(report);
    if (unlessAgreed) {
      const unagreed = found(withReceipt(report, { agreement: null }));
      expect(unagreed.broken, name).toBeUndefined();
      expect(unagreed.unknown.join('\n'), name).toMatch(unlessAgreed);
    }
    if (!listedAs) expect(broken, name).toBeDefined();
    else {
      expect(broken, name).toBeUndefined();
      expect(unknown.join('\n'), name).toMatch(listedAs);
    }
  });
  fc.assert(property, { numRuns, seed: SEED });
}

/** Expects that random honest executors are accepted with the two usual unknown points. */
export function expectHonest(numRuns: number, on?: Deviation['on']): void {
  const property = fc.property(jobs(on), (job) => {
    const { broken, unknown } = found(new SimulatedExecutor(job).run());
    expect(broken).toBeUndefined();
    expect(unknown).toHaveLength(2);
  });
  fc.assert(property, { numRuns, seed: SEED });
}
