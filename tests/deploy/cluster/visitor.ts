import { deepStrictEqual as same } from 'node:assert';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProductClient } from '../../support/product-client.ts';

const PAUSE_MS = 300;
/** HYPE of unpaid jobs. */
const SMALLEST = 0.25;

/** Result of a visitor's requests. */
export interface VisitorCounts {
  answered: number;
  /** Each failure in words. */
  failures: string[];
  /** Longest time to an answer, ms. */
  slowestMs: number;
}

/** Sends requests until stopped, as visitors do: for the stats, a token, a job. None may fail. */
export function startVisitor(product: ProductClient): { stop(): Promise<VisitorCounts> } {
  const token = product.stack.tokens.both;
  const visits = [() => product.stats(), () => product.validate(token), () => product.createJob(token, SMALLEST)];
  const counts: VisitorCounts = { answered: 0, failures: [], slowestMs: 0 };
  let running = true;
  const visit = async () => {
    for (let turn = 0; running; turn++) {
      const began = Date.now();
      try {
        await visits[turn % visits.length]?.();
        counts.answered += 1;
      } catch (error) {
        counts.failures.push(`${new Date(began).toISOString()} ${String(error)}`);
      }
      counts.slowestMs = Math.max(counts.slowestMs, Date.now() - began);
      await wait(PAUSE_MS);
    }
  };
  const visiting = visit();
  return {
    async stop() {
      running = false;
      await visiting;
      return counts;
    },
  };
}

/** Runs `change` while a visitor sends requests, none of which may fail. */
export async function underVisits(product: ProductClient, change: () => Promise<unknown>): Promise<void> {
  const visitor = startVisitor(product);
  try {
    await change();
  } finally {
    const counts = await visitor.stop();
    console.log(
      `visitor: ${counts.answered} answered, ${counts.failures.length} failed, slowest ${counts.slowestMs} ms`,
    );
    same(counts.failures, []);
  }
}
