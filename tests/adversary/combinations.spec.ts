import { afterAll, beforeAll, it } from 'vitest';
import { Arena } from './arena.ts';
import { combinations } from './combinations.ts';
import { CASE_TEST_MS, caseName, runCase } from './hostile-case.ts';
import { expectCostBorne, expectNoHarm } from './invariants.ts';
import { type Row, report } from './outcomes.ts';

/** `ADVERSARY_SEED` and `ADVERSARY_RUNS` set the seed and the number of cases. */
const SEED = Number(process.env.ADVERSARY_SEED ?? 12);
const RUNS = Number(process.env.ADVERSARY_RUNS ?? 20);

const CASES = combinations(SEED, RUNS);
const rows: Row[] = [];
let arena: Arena;

beforeAll(async () => {
  arena = await Arena.start(CASES.map(({ shape }) => shape));
}, 300_000);

afterAll(async () => {
  report(`combinations-${SEED}`, rows);
  await arena?.stop();
});

it.concurrent.each(CASES.map((hostile, index) => [index + 1, hostile] as const))(
  `combination %i of seed ${SEED} harms no job`,
  { timeout: CASE_TEST_MS },
  async (number, hostile) => {
    const outcome = await runCase(arena, hostile);
    rows.push({ who: `${number}: ${caseName(hostile)}`, pool: hostile.shape, costs: '', outcome });
    await expectNoHarm(arena, outcome);
    expectCostBorne(outcome);
  },
);
