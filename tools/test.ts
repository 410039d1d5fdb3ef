import { globSync, readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { BuildFailedError, runCommand, seconds, UsageError, WORKSPACE_ROOT } from '@maker/local-stack/command';
import { buildApps, NX_ENVIRONMENT } from './build-workspace.ts';
import { readReport, type TestResults } from './test-report.ts';
import { packagedProgram, runTool } from './tool.ts';

const USAGE = 'npm test -- [--full] [--within MINUTES] [--second-run] [--named PATTERN] [part of a test file’s path]…';
const [SWITCH, TEXT] = [{ type: 'boolean' }, { type: 'string' }] as const;
const NOT_OURS = ['**/{node_modules,dist}'];
const MINUTE_MS = 60_000;
/** A round may take this much longer than estimated. */
const OVERRUN_MS = 4 * MINUTE_MS;
/** With more failed files than this, the cause is no chance, and a second run would only cost time. */
const MOST_AGAIN = 3;

/** A target of tests/package.json. */
interface Run {
  readonly target: string;
  /** Empty: all files of the target. */
  readonly files: readonly string[];
  readonly titlePattern?: string | undefined;
  /** The run begins only if this many minutes are left. */
  readonly minutes: number;
}

/** A target in tests/package.json; one without metadata runs by name only. */
type Target = { metadata?: Pick<Run, 'minutes'> & { scope: 'quick' | 'full' } };

/** The targets of a scope in their order, or those of the files that match the filters. @throws UsageError for none */
function chooseRuns(filters: readonly string[], isFull: boolean, titlePattern: string | undefined): Run[] {
  const { nx } = JSON.parse(readFileSync(`${WORKSPACE_ROOT}/tests/package.json`, 'utf8'));
  const ofScope = Object.entries<Target>(nx.targets).flatMap(([target, { metadata }]) =>
    metadata && (isFull || metadata.scope === 'quick') ? [{ target, files: [], ...metadata }] : [],
  );
  const runs = filters.length > 0 ? runsOfFiles(filters) : ofScope;
  if (runs.length === 0) throw new UsageError(`no test file's path holds ${filters.join(' or ')}`);
  return runs.map((run) => ({ ...run, titlePattern }));
}

function runsOfFiles(filters: readonly string[]): Run[] {
  const isNamed = (file: string) => filters.some((filter) => file.includes(filter));
  const find = (pattern: string) => globSync(pattern, { cwd: WORKSPACE_ROOT, exclude: NOT_OURS }).filter(isNamed);
  return [
    { target: 'specs', files: find('{apps,libs,tools,tests}/**/*.{spec.ts,spec.tsx,prometheus.ts}'), minutes: 0 },
    { target: 'pages', files: find('tests/e2e/**/*.e2e.ts'), minutes: 0 },
  ].filter(({ files }) => files.length > 0);
}

async function runTarget({ target, files, titlePattern }: Run, signal: AbortSignal): Promise<TestResults> {
  const report = `${WORKSPACE_ROOT}/test-results/${target}.json`;
  rmSync(report, { force: true });
  const isInBrowser = /^(e2e|pages)/.test(target);
  const only = isInBrowser ? ['--pass-with-no-tests', '--grep'] : ['--testNamePattern'];
  const args = titlePattern === undefined ? files : [...files, ...only, titlePattern];
  const nx = ['run', `@maker/tests:${target}`, '--outputStyle=stream-without-prefixes', ...args];
  const environment = { TEST_REPORT: report, ...NX_ENVIRONMENT };
  const { code } = await runTool(packagedProgram('nx'), nx, { signal, output: 'show', environment });
  return readReport(report, code, target);
}

/** Repeats the files of a few failures alone; a test that passes then counts as passed. */
async function runAgain(run: Run, first: TestResults, notes: string[], signal: AbortSignal): Promise<TestResults> {
  const files = new Set(first.failed.map((test) => test.split(' › ', 1)[0] ?? ''));
  if (files.size === 0 || files.size > MOST_AGAIN || files.has(run.target)) return first;
  console.log(['… once more, by themselves:', ...first.failed].join('\n  '));
  const { failed } = await runTarget({ ...run, files: [...files] }, signal);
  // A second run that did not finish proves nothing.
  if (failed.some((test) => test.startsWith(`${run.target} › `))) return first;
  const passed = first.failed.filter((test) => !failed.includes(test));
  notes.push(...passed.map((test) => `~ ${test}: failed, then passed by itself`));
  return { ...first, passed: first.passed + passed.length, failed };
}

await runCommand(async ({ args, signal }) => {
  const options = { full: SWITCH, 'second-run': SWITCH, within: TEXT, named: TEXT };
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const end = performance.now() + Number(values.within ?? Infinity) * MINUTE_MS;
  if (!(end > performance.now())) throw new UsageError(`--within ${values.within}: expected a number of minutes`);
  const all: TestResults[] = [];
  const notes: string[] = [];
  const runs = chooseRuns(positionals, values.full === true, values.named);
  if (runs.some(({ target, files }) => target !== 'specs' || files.some((file) => file.startsWith('tests/'))))
    try {
      await buildApps(signal);
    } catch (error) {
      if (!(error instanceof BuildFailedError)) throw error;
      console.log(`✗ ${error.message}\n0 passed, 1 failed`);
      return 1;
    }
  // What still runs long after the time is over is stopped, and counts as failed.
  const limits =
    values.within === undefined ? [] : [AbortSignal.timeout(Math.ceil(end - performance.now()) + OVERRUN_MS)];
  const untilEnd = AbortSignal.any([signal, ...limits]);
  for (const run of runs) {
    if (signal.aborted) return 130;
    const began = performance.now();
    if (began + run.minutes * MINUTE_MS > end) {
      notes.push(`○ not run: ${run.target}, which takes ${run.minutes} minutes`);
      continue;
    }
    const first = await runTarget(run, untilEnd);
    all.push(values['second-run'] ? await runAgain(run, first, notes, untilEnd) : first);
    console.log(`${run.target}: ${seconds(performance.now() - began)}`);
  }
  const sum = (state: 'passed' | 'skipped') => all.reduce((total, results) => total + results[state], 0);
  const failed = all.flatMap((results) => results.failed);
  const left = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
  const sums = `${sum('passed')} passed, ${failed.length} failed${left}`;
  console.log(['', ...notes, ...failed.map((test) => `✗ ${test}`), sums].join('\n'));
  return failed.length > 0 || sum('passed') === 0 ? 1 : 0;
}, USAGE);
