/**
 * Runs Lighthouse on the built product: starts the whole local stack and judges the pages that are written at build time
 * with the mobile defaults (4× slower processor, slow 4G). Prints scores, metrics and the reasons for lost points. Exits 1 when a
 * score is below 95. `npm run bench:lighthouse`
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, startStack } from '@maker/local-stack';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { chromium } from '@playwright/test';
import { z } from 'zod';
import { findChromium } from '../../tools/chromium.ts';

const CATEGORIES = ['performance', 'accessibility', 'best-practices'];
const WANTED_SCORE = 95;
const PATHS = ['/', '/terms'];

/** The median of several runs counts, since other work slows down single ones. */
const RUNS = 3;

/** Only this command installs its packages, so it runs as a program, not as a library. */
const LIGHTHOUSE = join(import.meta.dirname, 'lighthouse', 'node_modules', 'lighthouse', 'cli', 'index.js');
/** A report has some megabytes. */
const LONGEST_REPORT = 64 * 1024 * 1024;

/** The used part of a report. */
const reportSchema = z.object({
  runtimeError: z.object({ message: z.string() }).optional(),
  categories: z.record(
    z.string(),
    z.object({
      score: z.number().nullable(),
      auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
    }),
  ),
  audits: z.record(
    z.string(),
    z.object({ score: z.number().nullable(), title: z.string(), displayValue: z.string().optional() }),
  ),
});

type Result = z.infer<typeof reportSchema>;

const execute = promisify(execFile);

const scoreOf = (result: Result, category: string): number =>
  Math.round((result.categories[category]?.score ?? 0) * 100);

async function judge(url: string, port: number): Promise<Result> {
  const results: Result[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { stdout } = await execute(
      process.execPath,
      [
        LIGHTHOUSE,
        url,
        `--port=${port}`,
        `--only-categories=${CATEGORIES}`,
        '--output=json',
        '--quiet',
        '--no-enable-error-reporting',
      ],
      { maxBuffer: LONGEST_REPORT },
    );
    const result = reportSchema.parse(JSON.parse(stdout));
    if (result.runtimeError) throw new Error(result.runtimeError.message);
    results.push(result);
  }
  results.sort((one, other) => scoreOf(one, 'performance') - scoreOf(other, 'performance'));
  const middle = results[Math.floor(RUNS / 2)];
  if (!middle) throw new Error('There was no run');
  return middle;
}

function show(path: string, result: Result): void {
  console.log(`\n${path}: ${CATEGORIES.map((category) => `${category} ${scoreOf(result, category)}`).join(', ')}`);
  for (const category of CATEGORIES) {
    for (const { id, weight } of result.categories[category]?.auditRefs ?? []) {
      const { score, title, displayValue } = result.audits[id] ?? {};
      const isMetric = category === 'performance' && weight > 0;
      const hasFailed = category !== 'performance' && typeof score === 'number' && score < 1;
      if (isMetric) console.log(`  ${title}: ${displayValue}`);
      if (hasFailed) console.log(`  ✗ ${category}: ${title}`);
    }
  }
}

const running = await startStack({ directory: join(WORKSPACE_ROOT, 'test-results', 'bench-stack'), ports: 'free' });
try {
  const port = await freePort();
  const browser = await chromium.launch({
    executablePath: await findChromium('whole', () => console.log('… installing Chromium')),
    args: ['--no-sandbox', '--disable-background-networking', `--remote-debugging-port=${port}`],
  });
  for (const path of PATHS) {
    const result = await judge(running.stack.shellUrl + path, port);
    show(path, result);
    if (CATEGORIES.some((category) => scoreOf(result, category) < WANTED_SCORE)) process.exitCode = 1;
  }
  await browser.close();
} finally {
  await running.stop();
}
