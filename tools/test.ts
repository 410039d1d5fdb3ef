import { globSync, readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { BuildFailedError, runCommand, seconds, UsageError, WORKSPACE_ROOT } from '@maker/local-stack/command';
import { buildApps, NX_ENVIRONMENT } from './build-workspace.ts';
import { filesToRunAgain, judgeSecondRun } from './second-run.ts';
import { commandToRepeat, selectTests, titlePattern } from './select-tests.ts';
import { readReport, type TestResults } from './test-report.ts';
import { packagedProgram, runTool } from './tool.ts';

const USAGE = 'npm test -- [--full] [--round NAME]… [--within MINUTES] [--second-run] [words of a path or title]…';
const SWITCH = { type: 'boolean' } as const;
const TEXT = { type: 'string' } as const;
const TEST_FILES = '{apps,libs,tools,tests}/**/*.{spec.ts,spec.tsx,prometheus.ts,e2e.ts}';
const NOT_OURS = ['**/{node_modules,dist}'];
const MINUTE_MS = 60_000;
/** A round may take this much longer than estimated. */
const OVERRUN_MS = 4 * MINUTE_MS;

/** A target of tests/package.json. */
interface Run {
  readonly target: string;
  /** Empty: all files of the target. */
  readonly files: readonly string[];
  /** Regular expression; undefined: every test. */
  readonly titles?: string | undefined;
  /** The run begins only if this many minutes are left. */
  readonly minutes: number;
}

/** A target in tests/package.json; one without metadata takes files and is no round. */
type Target = { metadata?: Pick<Run, 'minutes'> & { scope: 'quick' | 'full' | 'named' } };

/** The named rounds and those of the tests that the words find, or a scope's rounds. @throws UsageError for none */
function chooseRuns(words: readonly string[], rounds: readonly string[], isFull: boolean): Run[] {
  const { nx } = JSON.parse(readFileSync(`${WORKSPACE_ROOT}/tests/package.json`, 'utf8'));
  const all = Object.entries<Target>(nx.targets).flatMap(([target, { metadata }]) =>
    metadata ? [{ target, files: [], ...metadata }] : [],
  );
  const unknown = rounds.find((round) => all.every(({ target }) => target !== round));
  if (unknown) throw new UsageError(`no round is ${unknown}; there are: ${all.map(({ target }) => target).join(', ')}`);
  const found = words.length > 0 ? runsOfWords(words) : [];
  if (words.length > 0 && found.length === 0)
    throw new UsageError(`no test's path or title holds ${words.join(' or ')}`);
  const named = [...all.filter(({ target }) => rounds.includes(target)), ...found];
  return named.length > 0 ? named : all.filter(({ scope }) => scope === 'quick' || (isFull && scope === 'full'));
}

function runsOfWords(words: readonly string[]): Run[] {
  const tests = globSync(TEST_FILES, { cwd: WORKSPACE_ROOT, exclude: NOT_OURS }).sort();
  const read = (file: string) => readFileSync(`${WORKSPACE_ROOT}/${file}`, 'utf8');
  const runs = selectTests(words, tests, read).flatMap(({ files, titles }) =>
    ['specs', 'pages'].map((target) => ({
      target,
      files: files.filter((file) => file.endsWith('.e2e.ts') === (target === 'pages')),
      titles: titles && titlePattern(titles, target === 'pages'),
      minutes: 0,
    })),
  );
  return runs.filter(({ files }) => files.length > 0);
}

async function runTarget({ target, files, titles }: Run, signal: AbortSignal): Promise<TestResults> {
  const report = `${WORKSPACE_ROOT}/test-results/${target}.json`;
  rmSync(report, { force: true });
  const isInBrowser = /^(e2e|pages)/.test(target);
  const none = isInBrowser && titles ? ['--pass-with-no-tests'] : [];
  const nx = ['run', `@maker/tests:${target}`, '--outputStyle=stream-without-prefixes', ...files, ...none];
  // Nx passes arguments through a shell, which would change a pattern.
  const environment = { TEST_REPORT: report, ...(titles && { TEST_TITLES: titles }), ...NX_ENVIRONMENT };
  const { code } = await runTool(packagedProgram('nx'), nx, { signal, output: 'show', environment });
  return readReport(report, code, target);
}

/** Repeats the files of a few failures alone; a test that passes then counts as passed. */
async function runAgain(run: Run, first: TestResults, notes: string[], signal: AbortSignal): Promise<TestResults> {
  const files = filesToRunAgain(first);
  if (files.length === 0) return first;
  console.log(['… once more, by themselves:', ...first.failed].join('\n  '));
  const judged = judgeSecondRun(first, await runTarget({ ...run, files }, signal));
  notes.push(...judged.notes);
  return judged;
}

await runCommand(async ({ args, signal }) => {
  const options = {
    full: SWITCH,
    'second-run': SWITCH,
    within: TEXT,
    round: { ...TEXT, multiple: true },
  } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const end = performance.now() + Number(values.within ?? Infinity) * MINUTE_MS;
  if (!(end > performance.now())) throw new UsageError(`--within ${values.within}: expected a number of minutes`);
  const all: TestResults[] = [];
  const notes: string[] = [];
  const runs = chooseRuns(positionals, values.round ?? [], values.full === true);
  if (runs.some(({ target, files }) => target !== 'specs' || files.some((file) => file.startsWith('tests/'))))
    try {
      await buildApps(signal);
    } catch (error) {
      if (!(error instanceof BuildFailedError)) throw error;
      console.log(`✗ ${error.message}\n0 passed, 1 failed; repeat it: npm run build`);
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
  const repeat = failed.length > 0 ? [`repeat what failed: ${commandToRepeat(failed, positionals)}`] : [];
  console.log(['', ...notes, ...failed.map((test) => `✗ ${test}`), ...repeat, sums].join('\n'));
  return failed.length > 0 || sum('passed') === 0 ? 1 : 0;
}, USAGE);
