import fc from 'fast-check';
import { type HistoryEvent, LASTS_SECONDS, SimulatedWorld } from './simulated-world.fixture.ts';
import { expectSettled } from './world-laws.fixture.ts';

const change = <Key extends string>(key: Key, ...values: readonly unknown[]) =>
  fc.constantFrom(...values.map((value) => ({ [key]: value })));

const historyEvent: fc.Arbitrary<HistoryEvent> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ kind: fc.constant('blocks'), count: fc.nat(8), seconds: fc.integer({ min: 1, max: 20 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('blocks'),
      count: fc.constant(1),
      seconds: fc.constantFrom(120, LASTS_SECONDS / 2, LASTS_SECONDS),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'unseen' }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reorganise'), depth: fc.integer({ min: 1, max: 12 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('deposit'),
      from: fc.constantFrom(0, 1),
      isDust: fc.boolean(),
      isKnown: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom({ kind: 'cancel' }, { kind: 'pause' }, { kind: 'resume' }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      { kind: 'handOver' },
      { kind: 'restart' },
      { kind: 'dieBeforeSending' },
      { kind: 'loseAnswer' },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('databaseFails', 'readsFail'),
      times: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('circumstance'),
      change: fc.oneof(
        change('ordersRevert', true, false),
        change('tokenRefuses', true, false),
        change('payerRefuses', true, false),
        change('isFull', true, false),
        change('lags', true, false),
        change('market', 'calm', 'thin', 'expensive'),
        change('baseFeeWei', 100_000_000n, 5_000_000_000n, 11_000_000_000n),
      ),
    }),
  },
) as fc.Arbitrary<HistoryEvent>;

/** Returns the seed of this run: `HISTORIES_SEED`, or a new one. */
export function historySeed(): number {
  return Number(process.env.HISTORIES_SEED ?? Date.now() % 2 ** 31);
}

/** Replays one history of a job against a simulated chain. @throws BrokenLaw */
export async function expectLawsInHistory(history: readonly HistoryEvent[]): Promise<void> {
  const world = new SimulatedWorld();
  for (const one of history) await world.play(one);
  await world.settle();
  expectSettled(world.database, world.chain);
}

/**
 * Replays random histories of one job against a simulated chain.
 * @throws with the seed and the shortest history that breaks a law
 */
export async function expectLawsInHistories(runs: number, seed: number): Promise<void> {
  await fc.assert(fc.asyncProperty(fc.array(historyEvent, { maxLength: 40 }), expectLawsInHistory), {
    numRuns: runs,
    seed,
    endOnFailure: false,
  });
}
