import { startOwnStack } from '../support/own-stack.ts';
import { readingOf } from '../support/readings.ts';
import { Child } from './child.ts';
import { type Effort, type Figure, median, sumOf } from './figure.ts';
import { manyJobs } from './many-jobs.ts';
import type { Visited, Visits } from './steady-visitors.ts';

/** A page requests its payment every 10 s and the statistics every 30 s (specification § 9). */
const REQUESTS_PER_SECOND = 1 / 10 + 1 / 30;
/** Every fourth request of a page is for statistics. */
const STATS_EVERY = 4;
/** Latency that a visitor does not notice, ms. */
const MOST_MS = 250;
const GATEWAYS = [1, 2, 4] as const;
/** Most warm-up rounds with a tenth of the visitors, until answers are in time: fills cold caches and ends the last overload. */
const CALM_VISITS = 5;
/** Shares of all visitors to try, until one is answered in time. */
const SHARES = [1, 0.75, 0.5, 0.35, 0.25, 0.15, 0.1] as const;

/** Number of open pages that get answers in time, from one gateway and from several on the same processors. */
export async function measureVisitors({ visitors, jobs, rounds, seconds }: Effort): Promise<Figure[]> {
  const most = GATEWAYS[GATEWAYS.length - 1] ?? 1;
  const running = await startOwnStack(
    20,
    { 'api-gateway': { RATE_LIMIT_REQUESTS: '1000000000' } },
    { 'api-gateway': most },
  );
  const pages = new Child('steady-visitors.ts');
  try {
    const { stack } = running;
    const payments = (await manyJobs(stack, jobs)).map((jobId) => `/jobs/${jobId}/payment`);
    const paths = payments.flatMap((path, index) =>
      (index + 1) % (STATS_EVERY - 1) === 0 ? [path, '/stats'] : [path],
    );
    const gateways = stack.replicas['api-gateway'].map(({ ops, api = '' }) => ({
      ops,
      port: Number(new URL(api).port),
    }));
    const carried = async (count: number): Promise<Carried[]> => {
      const asked = gateways.slice(0, count);
      const visit = (share: number, forSeconds: number) => {
        const requestsPerSecond = visitors * share * REQUESTS_PER_SECOND;
        const ports = asked.map(({ port }) => port);
        const visits: Visits = { ports, paths, apiKey: stack.apiKey, requestsPerSecond, seconds: forSeconds };
        return pages.ask<Visited>(visits);
      };
      const cpu = async () => {
        const each = await Promise.all(asked.map(({ ops }) => readingOf(ops, 'process_cpu_seconds_total')));
        return sumOf(each);
      };
      const isInTime = ({ p99, failed }: Visited) => p99 <= MOST_MS && failed === 0;
      const calm = async () => {
        for (let visits = 0; visits < CALM_VISITS; visits += 1) if (isInTime(await visit(0.1, seconds))) return;
      };
      await calm();
      const rows: Carried[] = [];
      for (let round = 0; round < Math.min(rounds, 2); round += 1) {
        for (const share of SHARES) {
          const before = await cpu();
          const visited = await visit(share, seconds);
          const { p50, p99, answered } = visited;
          const micros = (((await cpu()) - before) * 1e6) / answered;
          const isCarried = isInTime(visited);
          if (!isCarried) await calm();
          if (!isCarried && share !== SHARES.at(-1)) continue;
          rows.push({ share: isCarried ? share : 0, p50, p99, micros });
          break;
        }
      }
      return rows;
    };
    const figures: Figure[] = [];
    for (const count of GATEWAYS) {
      const rows = await carried(count);
      const middle = (pick: (row: Carried) => number) => median(rows.map(pick));
      figures.push({
        name: `visitors whose pages ${count === 1 ? 'one gateway answers' : `${count} gateways answer`}, p99 within ${MOST_MS} ms`,
        peer: `${visitors}, a payment each 10 s and the statistics each 30 s`,
        ratios: rows.map(({ share }) => share),
        mustReach: { atLeast: 1 },
        behind: `p50 ${middle(({ p50 }) => p50).toFixed(1)} ms, p99 ${middle(({ p99 }) => p99).toFixed(1)} ms; ${Math.round(middle(({ micros }) => micros))} µs of CPU an answer, ${Math.round(1e6 / middle(({ micros }) => micros) / REQUESTS_PER_SECOND)} visitors a core`,
      });
    }
    return figures;
  } finally {
    pages.stop();
    await running.stop();
  }
}

/** The largest share of the visitors with answers in time. */
interface Carried {
  readonly share: number;
  readonly p50: number;
  readonly p99: number;
  readonly micros: number;
}
