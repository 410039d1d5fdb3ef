import { availableParallelism, getPriority, loadavg } from 'node:os';
import { Child } from './child.ts';
import { sumOf } from './figure.ts';

/** What else ran on the machine while something was measured. */
export interface Quiet {
  /** What a loop that only computes got of each processor, of 1: the rest went to others. */
  readonly share: number;
  readonly load: number;
  /** As `nice` says it: below 0 others wait for us. */
  readonly nice: number;
}

/** Looks at the machine for a moment, with all its processors. */
export async function lookAtMachine(): Promise<Quiet> {
  const spinners = Array.from({ length: availableParallelism() }, () => new Child('spinner.ts'));
  try {
    const shares = await Promise.all(spinners.map((spinner) => spinner.ask<{ share: number }>({})));
    const share = sumOf(shares.map(({ share: one }) => one)) / shares.length;
    return { share, load: loadavg()[0] ?? Number.NaN, nice: getPriority() };
  } finally {
    for (const spinner of spinners) spinner.stop();
  }
}
