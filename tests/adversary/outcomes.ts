import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatHype } from '@maker/rules';
import type { Outcome } from './hostile-case.ts';

/** A row of the catalogue's result. */
export interface Row {
  readonly who: string;
  readonly pool: string;
  /** What the attack cost who made it, beside the payment of their own job. */
  readonly costs: string;
  readonly outcome: Outcome;
}

/** The catalogue as a table, one line an attack: its cost, and how the job ended, to the wei. */
export function asTable(rows: readonly Row[]): string {
  const hype = (wei: string | undefined) => (wei === undefined ? '' : formatHype(BigInt(wei)));
  const lines = rows.map(({ who, pool, costs, outcome: { job, refusal, seconds } }) => {
    const receipt = job?.receipt;
    const end = job ? job.status : `refused: ${refusal?.slice(0, 60)}`;
    const sums = [receipt?.tradedWei, receipt?.gasWei, receipt?.returnedWei, receipt?.heldWei].map(hype);
    return `| ${[who, pool, costs, end, receipt?.ordersPlaced ?? '', ...sums, Math.round(seconds), receipt?.heldReason ?? job?.failureReason ?? ''].join(' | ')} |`;
  });
  const head = '| who | pool | costs them | end | orders | traded | gas | returned | held | s | because |';
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
