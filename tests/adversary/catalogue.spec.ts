import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Arena } from './arena.ts';
import { type End, endOf, UNHARMED } from './ends.ts';
import { CASE_TEST_MS, caseName, type HostileCase, runCase } from './hostile-case.ts';
import { HOSTILE_PAYERS } from './hostile-payers.ts';
import { HOSTILE_RECIPIENTS } from './hostile-recipients.ts';
import { HOSTILE_TOKENS } from './hostile-tokens.ts';
import { HOSTILE_TRADERS } from './hostile-traders.ts';
import { expectCostBorne, expectNoHarm } from './invariants.ts';
import { POOL_SHAPES, type PoolShape } from './markets.ts';
import { type Row, report } from './outcomes.ts';

type Attack = Omit<HostileCase, 'shape'> & { readonly costs: string; readonly end: End };

const A_TOKEN_COSTS = 'a deployment or an upgrade';

/** `none` is the undisturbed job, for comparison. */
const CATALOGUE: Readonly<Record<string, readonly Attack[]>> = {
  tokens: HOSTILE_TOKENS.map((token) => ({ token, costs: A_TOKEN_COSTS, end: token.end })),
  recipients: HOSTILE_RECIPIENTS.map((recipient) => ({ recipient, costs: recipient.costs, end: recipient.end })),
  payers: HOSTILE_PAYERS.map((payer) => ({ payer, costs: payer.costs, end: payer.end })),
  none: [{ costs: 'nothing', end: UNHARMED }],
  traders: HOSTILE_TRADERS.map((trader) => ({ trader, costs: trader.costs, end: trader.end })),
};

const ATTACKS = Object.values(CATALOGUE).flat();
const rows: Row[] = [];
let arena: Arena;

beforeAll(async () => {
  arena = await Arena.start(POOL_SHAPES.flatMap((shape): PoolShape[] => ATTACKS.map(() => shape)));
}, 300_000);

afterAll(async () => {
  report('catalogue', rows);
  await arena?.stop();
});

describe.concurrent.each(POOL_SHAPES)('no attack in a pool of %s harms a job:', (shape) => {
  describe.concurrent.each(Object.entries(CATALOGUE))('%s:', (_kind, attacks) => {
    it.each(attacks.map((attack) => [caseName(attack), attack] as const))(
      '%s',
      { timeout: CASE_TEST_MS },
      async (who, { costs, end, ...attack }) => {
        const outcome = await runCase(arena, { shape, ...attack });
        rows.push({ who, pool: shape, costs, outcome });
        await expectNoHarm(arena, outcome);
        expectCostBorne(outcome);
        expect([end].flat()).toContain(endOf(outcome.job, outcome.refusal));
      },
    );
  });
});
