import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatHype } from '@maker/rules';
import { endOf } from './ends.ts';
import type { Outcome } from './hostile-case.ts';

/** A row of the catalogue's result. */
export interface Row {
  readonly who: string;
  readonly pool: string;
  /** What the attack cost who made it, beside the payment of their own job. */
  readonly costs: string;
  readonly outcome: Outcome;
}

/** One line an attack: what it cost both, to the wei where it is money, and how the job ended. */
export function asTable(rows: readonly Row[]): string {
  const hype = (wei: string | bigint | undefined) => (wei === undefined ? '' : formatHype(BigInt(wei)));
  const lines = rows.map(({ who, pool, costs, outcome: { job, refusal, seconds, costs: paid } }) => {
    const receipt = job?.receipt;
    const sums = [receipt?.tradedWei, receipt?.gasWei, receipt?.returnedWei, receipt?.heldWei].map(hype);
    const both = [costs, hype(paid.theirsWei), hype(paid.oursWei)];
    const end = [endOf(job, refusal), Math.round(seconds)];
    return `| ${[who, pool, ...both, receipt?.ordersPlaced ?? '', ...sums, ...end].join(' | ')} |`;
  });
  const head = '| who | pool | costs them | HYPE | costs us | orders | traded | gas | returned | held | end | s |';
  return [head, head.replaceAll(/[^|]+/g, '---'), ...lines].join('\n');
}

/** Leaves the table where reports of a run are, and prints it. */
export function report(name: string, rows: readonly Row[]): void {
  const table = asTable(rows);
  const directory = join(import.meta.dirname, '../../test-results');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `adversary-${name}.md`), `${table}\n`);
  console.log(table);
}
