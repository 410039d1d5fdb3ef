import { parseHype, slotsIn, splitDeposit } from '@maker/rules';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Deviation } from '../deviation.fixture.ts';
import { signedReceiptSchema } from '../file/receipt-file.ts';
import { VENUE, VENUES } from '../parties.fixture.ts';
import { type Honest, SimulatedExecutor, type SimulatedJob } from '../simulated-executor.fixture.ts';
import { unreadable, type Verdict, verifyReceipt } from './verify-receipt.ts';

const SEED = 20_261_125;
const DAY_MS = 86_400_000;

const outcomes = fc.array(fc.constantFrom('filled', 'filled', 'filled', 'reverted', 'voided'), {
  minLength: 12,
  maxLength: 12,
});

/** Jobs as they may be: of any size, on any exchange, as slow as others leave room for. */
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
      // Something was bought.
      outcome: (number: number) => (number === 1 ? 'filled' : ((more[number] ?? first) as 'filled')),
    }));
}

const sizes = fc.integer({ min: 1, max: 999 }).map((size) => size / 1000);

/** What the verifier finds of what an executor did and told. */
function found({ receipt, facts }: Honest): Verdict {
  const parsed = signedReceiptSchema.safeParse(receipt);
  if (!parsed.success) return unreadable({ rule: 'format', problem: parsed.error.message });
  return verifyReceipt({ receipt: parsed.data, signature: '0x' }, facts);
}

/** By which rule one is caught. */
export function caught({ run, on = () => false }: Deviation): string | undefined {
  const venue = VENUES.find(on) ?? VENUE;
  return found(run({ orderCount: 6, venue }, 0.5)).broken?.rule;
}

/** Random executors, each with one of some deviations, are rejected, or told among what is not known. */
export function expectCaught(deviations: readonly Deviation[], numRuns: number): void {
  const runs = fc
    .constantFrom(...deviations)
    .chain((deviation) => fc.tuple(fc.constant(deviation), jobs(deviation.on), sizes));
  const property = fc.property(runs, ([{ name, run, toldAs }, job, size]) => {
    const { broken, unknown } = found(run(job, size));
    if (!toldAs) expect(broken, name).toBeDefined();
    else {
      expect(broken, name).toBeUndefined();
      expect(unknown.join('\n'), name).toMatch(toldAs);
    }
  });
  fc.assert(property, { numRuns, seed: SEED });
}

/** Random honest executors are accepted, and nothing of them is unknown that is known. */
export function expectHonest(numRuns: number, on?: Deviation['on']): void {
  const property = fc.property(jobs(on), (job) => {
    const { broken, unknown } = found(new SimulatedExecutor(job).run());
    expect(broken).toBeUndefined();
    expect(unknown).toHaveLength(2);
  });
  fc.assert(property, { numRuns, seed: SEED });
}
