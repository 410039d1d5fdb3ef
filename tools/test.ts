import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '@maker/local-stack';
import { BuildFailedError, runCommand, seconds, WORKSPACE_ROOT } from '@maker/local-stack/command';
import { buildApps, NX_ENVIRONMENT } from './build-workspace.ts';
import { findChromium } from './chromium.ts';
import { failureText, readReport, type TestResult } from './test-report.ts';
import { packagedProgram, runTool } from './tool.ts';

const USAGE = 'npm test -- [--full] [--within MINUTES] [--second-run] [--named PATTERN] [part of a test file’s path]…';
const MINUTE_MS = 60_000;

/** More red files than this are no accident; a second run of them would only cost time. */
const MOST_AGAIN = 3;

/** A target of tests/package.json. */
interface Run {
  readonly target: string;
  readonly args: readonly string[];
  /** It begins only if so many minutes are left. */
  readonly minutes: number;
  /** Target that it runs beside: both wait for blocks and timers. */
  readonly beside?: string;
}

/** The targets of a scope in their order, or those for the files that the filters name. @throws UsageError for none */
function chooseRuns(filters: readonly string[], isFull: boolean): Run[] {
  if (filters.length === 0) {
    const { nx } = JSON.parse(readFileSync(join(WORKSPACE_ROOT, 'tests', 'package.json'), 'utf8'));
    const chosen = isFull ? ['quick', 'full'] : ['quick'];
    return Object.entries<{ metadata?: Pick<Run, 'minutes' | 'beside'> & { scope: string } }>(nx.targets).flatMap(
      ([target, { metadata }]) =>
        metadata && chosen.includes(metadata.scope) ? [{ target, args: [], ...metadata }] : [],
    );
  }
  const find = (pattern: string) =>
    globSync(pattern, { cwd: WORKSPACE_ROOT, exclude: ['**/{node_modules,dist}'] }).filter((file) =>
      filters.some((filter) => file.includes(filter)),
    );
  const runs = [
    { target: 'specs', args: find('{apps,libs,tools,tests}/**/*.{spec.ts,spec.tsx,prometheus.ts}'), minutes: 0 },
    { target: 'pages', args: find('tests/e2e/**/*.e2e.ts'), minutes: 0 },
  ].filter(({ args }) => args.length > 0);
  if (runs.length === 0) throw new UsageError(`no test file's path holds ${filters.join(' or ')}`);
  return runs;
}

async function runTarget({ target, args }: Run, signal: AbortSignal): Promise<TestResult[]> {
  const report = join(WORKSPACE_ROOT, 'test-results', `${target}.json`);
  rmSync(report, { force: true });
  const isInBrowser = /^(e2e|pages)/.test(target);
  const chromium = isInBrowser && { CHROMIUM: await findChromium('shell', () => console.log('… installing Chromium')) };
  const nx = ['run', `@maker/tests:${target}`, '--outputStyle=stream-without-prefixes', ...args];
  const environment = { TEST_REPORT: report, ...NX_ENVIRONMENT, ...chromium };
  const { code } = await runTool(packagedProgram('nx'), nx, { signal, output: 'show', environment });
  return readReport(report, code, target);
}

/** Runs failed files once more, by themselves, where they are few and failed by their tests. @param notes what only failed among others */
async function runAgain(run: Run, first: readonly TestResult[], notes: string[], signal: AbortSignal) {
  const files = new Set(first.filter(({ state }) => state === 'failed').map(({ file }) => file));
  if (files.size === 0 || files.size > MOST_AGAIN || files.has(run.target)) return first;
  const second = await runTarget({ ...run, args: [...files] }, signal);
  const isRed = ({ file, title }: TestResult) =>
    second.some((test) => test.state === 'failed' && test.file === file && test.title === title);
  const unsteady = first.filter((test) => test.state === 'failed' && !isRed(test));
  notes.push(...unsteady.map((test) => `~ unsteady, passed alone: ${failureText(test)}`));
  return [...first.filter(({ file }) => !files.has(file)), ...second];
}

await runCommand(async ({ args, signal }) => {
  const began = Date.now();
  const { filters, named, full = false, within, 'second-run': isTwice } = readArguments(args);
  const results: TestResult[] = [];
  const notes: string[] = [];
  const runs = chooseRuns(filters, full);
  if (runs.some(({ target, args: files }) => target !== 'specs' || files.some((file) => file.startsWith('tests/'))))
    try {
      await buildApps(signal);
    } catch (error) {
      if (!(error instanceof BuildFailedError)) throw error;
      console.log(`✗ ${error.message}\n0 passed, 1 failed`);
      return 1;
    }
  const rounds = Map.groupBy(runs, ({ target, beside = target }) => beside);
  for (const round of rounds.values()) {
    if (signal.aborted) return 130;
    const roundBegan = Date.now();
    const names = round.map(({ target }) => target).join(' and ');
    const minutes = Math.max(...round.map((run) => run.minutes));
    if (within * MINUTE_MS - (roundBegan - began) < minutes * MINUTE_MS) {
      notes.push(`○ not run: ${names}, which takes ${minutes} minutes`);
      continue;
    }
    const pattern = named === undefined ? [] : ['--testNamePattern', named];
    const chosen = round.map((run) => (run.target === 'pages' ? run : { ...run, args: [...run.args, ...pattern] }));
    const firsts = await Promise.all(chosen.map(async (run) => [run, await runTarget(run, signal)] as const));
    for (const [run, first] of firsts) results.push(...(isTwice ? await runAgain(run, first, notes, signal) : first));
    console.log(`${names}: ${seconds(Date.now() - roundBegan)}`);
  }
  const { passed = [], failed = [], skipped = [] } = Object.groupBy(results, ({ state }) => state);
  const left = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
  const sum = `${passed.length} passed, ${failed.length} failed${left}`;
  console.log(['', ...notes, ...failed.map(failureText), sum].join('\n'));
  return failed.length > 0 || results.length === 0 ? 1 : 0;
});

/** @throws UsageError naming what is not understood */
function readArguments(args: string[]) {
  const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const;
  const options = { full: flag, within: text, 'second-run': flag, named: text };
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const within = Number(values.within ?? Number.MAX_SAFE_INTEGER);
    if (!(within > 0)) throw new Error(`--within ${values.within}: a number of minutes is expected`);
    return { ...values, within, filters: positionals };
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}; usage: ${USAGE}`);
  }
}
