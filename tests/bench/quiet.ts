import { availableParallelism, getPriority, loadavg } from 'node:os';
import { Child } from './child.ts';
import { sumOf } from './figure.ts';

/** Other load on the machine during a measurement. */
export interface Quiet {
  /** Share of each processor that a busy loop got, of 1: other processes used the rest. */
  readonly share: number;
  readonly load: number;
  /** The process's `nice` value: below 0 it has priority. */
  readonly nice: number;
}

/** Measures the load of all processors for a moment. */
export async function measureLoad(): Promise<Quiet> {
  const spinners = Array.from({ length: availableParallelism() }, () => new Child('spinner.ts'));
  try {
    const shares = await Promise.all(spinners.map((spinner) => spinner.ask<{ share: number }>({})));
    const share = sumOf(shares.map(({ share: one }) => one)) / shares.length;
    return { share, load: loadavg()[0] ?? Number.NaN, nice: getPriority() };
  } finally {
    for (const spinner of spinners) spinner.stop();
  }
}
