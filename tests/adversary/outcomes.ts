import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatHype } from '@maker/rules';
import { endOf } from './ends.ts';
import type { Outcome } from './hostile-case.ts';

/** A row of the catalogue's result. */
export interface Row {
  readonly who: string;
  readonly pool: string;
  /** The attacker's cost beside the payment of their own job. */
  readonly costs: string;
  readonly outcome: Outcome;
}

/** One line per attack: the cost for both sides, sums to the wei, and the job's end. */
export function asTable(rows: readonly Row[]): string {
  const hype = (wei: string | bigint | undefined) => (wei === undefined ? '' : formatHype(BigInt(wei)));
  const lines = rows.map(({ who, pool, costs, outcome: { job, refusal, seconds, costs: paid } }) => {
    const receipt = job?.receipt;
    const sums = [receipt?.tradedWei, receipt?.gasWei, receipt?.returnedWei, receipt?.heldWei].map(hype);
    const both = [costs, hype(paid.theirsWei), hype(paid.oursWei)];
    const end = [endOf(job, refusal), Math.round(seconds)];
    return `| ${[who, pool, ...both, receipt?.ordersPlaced ?? '', ...sums, ...end].join(' | ')} |`;
  });
  const head = '| attacker | pool | costs them | HYPE | costs us | orders | traded | gas | returned | held | end | s |';
  return [head, head.replaceAll(/[^|]+/g, '---'), ...lines].join('\n');
}

/** Writes the table to the folder of reports, and prints it. */
export function report(name: string, rows: readonly Row[]): void {
  const table = asTable(rows);
  const directory = join(import.meta.dirname, '../../test-results');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `adversary-${name}.md`), `${table}\n`);
  console.log(table);
}
