import { setTimeout as wait } from 'node:timers/promises';
import type { ProductClient } from '../../system/product-client.ts';

const PAUSE_MS = 200;

/** What became of a visitor's requests. */
export interface VisitorCounts {
  answered: number;
  /** Each failure in words. */
  failures: string[];
  /** Longest time to an answer, ms. */
  slowestMs: number;
}

/**
 * Asks the API for its stats without end until stopped, as pages that are open do; none of the requests may fail.
 */
export function startVisitor(product: ProductClient): { stop(): Promise<VisitorCounts> } {
  const counts: VisitorCounts = { answered: 0, failures: [], slowestMs: 0 };
  let running = true;
  const visit = async () => {
    while (running) {
      const began = Date.now();
      try {
        const { status } = await product.call('GET', '/stats');
        if (status === 200) counts.answered += 1;
        else counts.failures.push(`${new Date(began).toISOString()} status ${status}`);
      } catch (error) {
        counts.failures.push(`${new Date(began).toISOString()} ${String(error)}`);
      }
      counts.slowestMs = Math.max(counts.slowestMs, Date.now() - began);
      await wait(PAUSE_MS);
    }
  };
  const visits = visit();
  return {
    async stop() {
      running = false;
      await visits;
      return counts;
    },
  };
}
