import { Seeded } from '../support/seeded.ts';
import type { HostileCase } from './hostile-case.ts';
import { HOSTILE_PAYERS } from './hostile-payers.ts';
import { HOSTILE_RECIPIENTS } from './hostile-recipients.ts';
import { HOSTILE_TOKENS } from './hostile-tokens.ts';
import { HOSTILE_TRADERS } from './hostile-traders.ts';
import { POOL_SHAPES } from './markets.ts';

/** Each of four possible attackers is hostile in two cases of three; at least two are. */
const LIKELY = 2 / 3;

/** Cases with several attackers; a seed always gives the same ones. */
export function combinations(seed: number, count: number): HostileCase[] {
  const chance = new Seeded(seed);
  const perhaps = <Choice>(choices: readonly Choice[]): Choice | undefined => {
    const choice = chance.pick(choices);
    return chance.next() < LIKELY ? choice : undefined;
  };
  const cases: HostileCase[] = [];
  while (cases.length < count) {
    const shape = chance.pick(POOL_SHAPES);
    const token = perhaps(HOSTILE_TOKENS);
    const recipient = perhaps(HOSTILE_RECIPIENTS);
    const payer = perhaps(HOSTILE_PAYERS);
    const trader = perhaps(HOSTILE_TRADERS);
    const harm = {
      ...(token && { token }),
      ...(recipient && { recipient }),
      ...(payer && { payer }),
      ...(trader && { trader }),
    };
    if (Object.keys(harm).length >= 2) cases.push({ shape, ...harm });
  }
  return cases;
}
